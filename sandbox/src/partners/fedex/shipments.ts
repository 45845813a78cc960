import { systemClock, wallClock } from '../../clock.ts';
import { pdfInvoice } from '../../label.ts';
import { NO_ACCOUNT, no, type Refusal } from './answers.ts';
import type { Books, Place, Shipment } from './books.ts';
import { isPickedUp } from './journey.ts';
import { LETTER, pdfLabel, zplLabel } from './labels.ts';
import type { CancelRequest, Order } from './protocol.ts';

export const SERVICES: Readonly<Record<string, string>> = {
  FEDEX_PRIORITY: 'FedEx Priority®',
  FEDEX_REGIONAL_ECONOMY: 'FedEx Regional Economy®',
  FEDEX_INTERNATIONAL_PRIORITY: 'FedEx International Priority®',
  FEDEX_INTERNATIONAL_PRIORITY_EXPRESS: 'FedEx International Priority® Express',
  INTERNATIONAL_ECONOMY: 'FedEx International Economy®',
  FEDEX_INTERNATIONAL_CONNECT_PLUS: 'FedEx International Connect Plus®',
};
/** How FedEx words these was not found: the words are the sandbox's own, the codes FedEx's. */
const UNROUTABLE = no('DESTINATION.POSTALCODE.MISSING.ORINVALID', 'The recipient postal code is missing or invalid.');
const NO_SERVICE = no('SERVICETYPE.NOT.ALLOWED', 'The service is not allowed between the origin and the destination.');
const TOO_HEAVY = no('MAXIMUMWEIGHT.TYPE.ERROR', 'The maximum weight of a FedEx Express package is 68 kg.');
const NO_GOODS = no('INVALID.INPUT.EXCEPTION', 'Invalid field value in the input: customsClearanceDetail is required');
const WRONG_VALUE = no('INVALID.INPUT.EXCEPTION', 'Invalid field value in the input: totalDeclaredValue');

/** Returns false for the one number that no account has. */
export function isAccount(number: string): boolean {
  return number !== '000000000';
}

export function isUnroutable(address: { postalCode?: string | undefined; city?: string | undefined }): boolean {
  return address.postalCode === '00000' || /INESISTENTE/i.test(address.city ?? '');
}

/** Refuses well-formed requests as FedEx does. */
export function refusalOf(account: string, order: Order): Refusal | null {
  const { shipper, recipients, requestedPackageLineItems: packages, totalDeclaredValue: total } = order;
  const [recipient] = recipients;
  if (!isAccount(account)) return NO_ACCOUNT;
  if (!recipient || isUnroutable(recipient.address)) return UNROUTABLE;
  if (!Object.hasOwn(SERVICES, order.serviceType)) return NO_SERVICE;
  if (packages.some(({ weight }) => weight.units === 'KG' && weight.value > 68)) return TOO_HEAVY;
  const isInternational = shipper.address.countryCode !== recipient.address.countryCode;
  if (isInternational && !order.customsClearanceDetail) return NO_GOODS;
  const declared = packages.reduce((sum, one) => sum + (one.declaredValue?.amount ?? 0), 0);
  return Math.round(declared * 100) === Math.round((total?.amount ?? 0) * 100) ? null : WRONG_VALUE;
}

export function bookedOf(account: string, order: Order, books: Books): Shipment {
  const { shipper, recipients, requestedPackageLineItems: packages } = order;
  const [recipient = shipper] = recipients;
  const [first] = packages;
  const reference = (type: string): string =>
    first?.customerReferences?.find(({ customerReferenceType }) => customerReferenceType === type)?.value ?? '';
  return books.add(
    {
      account,
      service: order.serviceType,
      reference: reference('CUSTOMER_REFERENCE'),
      orderNumber: reference('P_O_NUMBER'),
      sender: placeOf(shipper),
      isReturn: order.shipmentSpecialServices !== undefined,
      recipient: placeOf(recipient),
      description: first?.itemDescription ?? '',
      isDeclared: order.shippingDocumentSpecification !== undefined,
      // Shippers live in real time, whatever the parcels' clock says.
      shipDate: order.shipDatestamp ?? wallClock(systemClock(), 'Europe/Rome').date,
    },
    packages.map(({ weight }) => weight.value),
  );
}

function placeOf({ address, contact }: Order['shipper']): Place {
  const { streetLines, postalCode = '', city, countryCode } = address;
  const name = [contact.companyName, contact.personName].filter(Boolean).join(', ');
  return { name, street: streetLines.join(', '), zip: postalCode, city, country: countryCode };
}

export async function shipAnswer(order: Order, shipment: Shipment): Promise<object> {
  const { serviceType } = order;
  const pieces = await Promise.all(shipment.packages.map((_one, index) => pieceOf(order, shipment, index + 1)));
  return {
    transactionShipments: [
      {
        serviceType,
        shipDatestamp: shipment.shipDate,
        serviceCategory: 'EXPRESS',
        serviceName: SERVICES[serviceType],
        masterTrackingNumber: shipment.master,
        pieceResponses: pieces,
        ...(await documentsOf(order, shipment)),
        completedShipmentDetail: {
          carrierCode: 'FDXE',
          usDomestic: false,
          masterTrackingId: { trackingIdType: 'FEDEX', formId: '0430', trackingNumber: shipment.master },
        },
      },
    ],
  };
}

async function pieceOf(order: Order, shipment: Shipment, place: number): Promise<object> {
  const { imageType, labelStockType } = order.labelSpecification;
  const { number } = shipment.packages[place - 1] ?? { number: '' };
  const isZpl = imageType === 'ZPLII';
  const label = isZpl ? zplLabel(shipment, place) : await pdfLabel(shipment, place, labelStockType);
  return {
    masterTrackingNumber: shipment.master,
    trackingNumber: number,
    packageSequenceNumber: place,
    customerReferences: order.requestedPackageLineItems[place - 1]?.customerReferences ?? [],
    packageDocuments: [
      {
        contentType: 'LABEL',
        copiesToPrint: 1,
        docType: isZpl ? 'ZPLII' : 'PDF',
        trackingNumber: number,
        encodedLabel: label.toString('base64'),
      },
    ],
  };
}

async function documentsOf(order: Order, shipment: Shipment): Promise<object> {
  const { customsClearanceDetail: customs, shippingDocumentSpecification } = order;
  if (!customs || !shippingDocumentSpecification) return {};
  const lines = customs.commodities.map(
    ({ description, quantity, unitPrice }) => `${description}: ${quantity} x ${unitPrice.amount} ${unitPrice.currency}`,
  );
  const number = customs.commercialInvoice.customerReferences?.[0]?.value ?? '';
  const bytes = await pdfInvoice(LETTER, `COMMERCIAL INVOICE ${number}`, [`Shipment ${shipment.master}`, ...lines]);
  const encodedLabel = bytes.toString('base64');
  return {
    shipmentDocuments: [{ contentType: 'COMMERCIAL_INVOICE', copiesToPrint: 1, docType: 'PDF', encodedLabel }],
  };
}

export function cancelAnswer(books: Books, { accountNumber, trackingNumber }: CancelRequest): object | Refusal {
  const shipment = books.find(trackingNumber);
  if (!shipment) {
    return no(
      'TRACKINGNUMBER.ENTERED.INVALID',
      'Error with entered Tracking Number. Please verify the entered Tracking Number.',
    );
  }
  if (shipment.account !== accountNumber.value) {
    return no('SHIPMENT.USER.UNAUTHORIZED', 'Requested user is not authorized to perform the operation.');
  }
  if (shipment.cancelledAt !== null) {
    return no('CANCELSHIPMENT.TRACKINGNUMBER.DELETED', 'The tracking number has been deleted already.');
  }
  if (isPickedUp(shipment, books.now())) {
    return no('TRACKINGIDS.TRACKINGNUMBER.CLOSED', 'The shipment is closed and cannot be deleted.');
  }
  books.cancel(shipment);
  return { cancelledShipment: true, cancelledHistory: true, message: 'Shipment is successfully cancelled' };
}
