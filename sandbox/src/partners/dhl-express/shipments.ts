import { systemClock } from '../../clock.ts';
import { pdfInvoice } from '../../label.ts';
import { badRequest, type Refusal } from './answers.ts';
import type { Books, Shipment } from './books.ts';
import { PAPERS, pdfLabels, zplLabels } from './labels.ts';
import { isUnroutable } from './places.ts';
import type { ShipmentRequest } from './protocol.ts';

const DAY_MS = 86_400_000;
const SERVICES = new Set(['II', 'AA', 'SF', 'LX', 'DD', 'WY']);
const DOMESTIC = new Set(['N', '1', 'I', 'O', 'G']);
const INTERNATIONAL = new Set(['U', 'P', 'W', 'D', 'K', 'L', 'T', 'X']);

/** Parses `2026-11-23T17:00:00 GMT+01:00`, where the space may be missing. Null: not of this shape. */
export function readTime(text: string): { date: string; at: Date } | null {
  const [, date = '', time = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d) ?GMT([+-]\d\d:\d\d)$/.exec(text) ?? [];
  const at = new Date(`${date}T${time}${offset}`);
  return Number.isNaN(at.getTime()) ? null : { date, at };
}

const NOT_WELL_FORMED = badRequest(
  "998: ShipTimeStamp is not well formatted.(Expected Sample Format : '2010-02-11T17:10:09 GMT+01:00')",
);

/** Refuses well-formed requests as DHL does. Shippers live in real time, whatever the parcels' clock says. */
export function refusalOf(request: ShipmentRequest): Refusal | null {
  const { content, customerDetails, productCode } = request;
  const planned = readTime(request.plannedShippingDateAndTime);
  const now = systemClock().getTime();
  if (!planned) return NOT_WELL_FORMED;
  if (planned.at.getTime() < now || planned.at.getTime() > now + 10 * DAY_MS) {
    return badRequest('998: ShipTimeStamp must not be in the past or more than 10 days in the future');
  }
  if (!request.accounts.some(({ typeCode, number }) => typeCode === 'shipper' && isAccount(number))) {
    return badRequest('8007: The Shipper Account is invalid.');
  }
  for (const [index, { serviceCode }] of (request.valueAddedServices ?? []).entries()) {
    if (!SERVICES.has(serviceCode)) {
      return badRequest(
        `7008: The requested Special Service Code  #/valueAddedServices/${index}/serviceCode '${serviceCode}' is not available between this origin and destination. Please validate the products and services combination (via the /rates or /products service) or contact our customer service.`,
      );
    }
  }
  const { shipperDetails, receiverDetails } = customerDetails;
  // DHL's own words for these were not found.
  if (isUnroutable(receiverDetails.postalAddress)) return badRequest('The destination location is invalid');
  const isDomestic = shipperDetails.postalAddress.countryCode === receiverDetails.postalAddress.countryCode;
  if (!(isDomestic ? DOMESTIC : INTERNATIONAL).has(productCode)) {
    return badRequest(`The requested product ${productCode} is not available between this origin and destination`);
  }
  if (content.isCustomsDeclarable && !content.exportDeclaration) {
    return badRequest('exportDeclaration must be provided for a dutiable shipment');
  }
  return null;
}

export function isAccount(number: string): boolean {
  return /^\d{6,12}$/.test(number);
}

export function bookedOf(request: ShipmentRequest, books: Books): Shipment {
  const { shipperDetails, receiverDetails } = request.customerDetails;
  const to = receiverDetails.postalAddress;
  const wholeAddress = [to.addressLine1, to.addressLine2, to.addressLine3].filter(Boolean).join(', ');
  return books.add(
    {
      account: request.accounts.find(({ typeCode }) => typeCode === 'shipper')?.number ?? '',
      references: (request.customerReferences ?? [])
        .filter(({ typeCode = 'CU' }) => typeCode === 'CU')
        .map(({ value }) => value),
      sender: placeOf(shipperDetails.postalAddress),
      recipient: { ...placeOf(to), fullName: receiverDetails.contactInformation.fullName, wholeAddress },
      product: request.productCode,
      description: request.content.description,
      isDeclarable: request.content.isCustomsDeclarable,
      plannedDate: readTime(request.plannedShippingDateAndTime)?.date ?? '',
    },
    request.content.packages.map(({ weight }) => weight),
  );
}

function placeOf({ postalCode, cityName, countryCode, addressLine1 }: Shipment['sender']): Shipment['sender'] {
  return { postalCode, cityName, countryCode, addressLine1 };
}

/** Builds number, pieces and documents as in `201 Created`. */
export async function createdAnswer(request: ShipmentRequest, shipment: Shipment, base: string): Promise<object> {
  const trackingUrl = `${base}/shipments/${shipment.number}/tracking`;
  return {
    shipmentTrackingNumber: shipment.number,
    trackingUrl,
    packages: shipment.pieces.map(({ number }, index) => ({
      referenceNumber: index + 1,
      trackingNumber: number,
      trackingUrl: `${trackingUrl}?pieceTrackingNumber=${number}`,
    })),
    documents: [...(await labelDocuments(request, shipment)), ...(await invoiceDocuments(request, shipment))],
  };
}

interface DhlDocument {
  imageFormat: string;
  content: string;
  typeCode: string;
}

async function labelDocuments(request: ShipmentRequest, shipment: Shipment): Promise<DhlDocument[]> {
  const images = request.outputImageProperties ?? {};
  const template = images.imageOptions?.find(({ typeCode }) => typeCode === 'label')?.templateName;
  const paper = PAPERS[template ?? ''] ?? '8x4';
  const places = shipment.pieces.map((_piece, index) => index + 1);
  const files = images.splitDocumentsByPages ? places.map((place) => [place]) : [places];
  return Promise.all(
    files.map(async (pages) => {
      const isZpl = images.encodingFormat === 'zpl';
      const bytes = isZpl ? zplLabels(shipment, pages) : await pdfLabels(shipment, pages, paper);
      return { imageFormat: isZpl ? 'ZPL' : 'PDF', content: bytes.toString('base64'), typeCode: 'label' };
    }),
  );
}

async function invoiceDocuments(request: ShipmentRequest, shipment: Shipment): Promise<DhlDocument[]> {
  const wanted = request.outputImageProperties?.imageOptions?.some(
    ({ typeCode, isRequested }) => typeCode === 'invoice' && isRequested === true,
  );
  const declaration = request.content.exportDeclaration;
  if (!wanted || !declaration) return [];
  const lines = declaration.lineItems.map(
    ({ number, description, quantity, price }) => `${number}. ${description}: ${quantity.value} x ${price.toFixed(2)}`,
  );
  const title = `INVOICE ${declaration.invoice?.number ?? ''}`;
  const bytes = await pdfInvoice('A4', title, [`Waybill ${shipment.number}`, ...lines]);
  return [{ imageFormat: 'PDF', content: bytes.toString('base64'), typeCode: 'invoice' }];
}
