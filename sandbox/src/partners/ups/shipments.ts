import { systemClock, wallClock } from '../../clock.ts';
import { pdfInvoice } from '../../label.ts';
import { NO_SHIPPER, no, type Refusal, SUCCESS } from './answers.ts';
import type { Books, Place, Shipment } from './books.ts';
import { isPickedUp } from './journey.ts';
import { GIF, zplLabel } from './labels.ts';
import { accessPoints } from './locations.ts';
import type { ShipmentRequest } from './protocol.ts';

const SERVICES = new Set(['07', '08', '11', '54', '65', '70', '74']);
/** How UPS words these was not found: the words are the sandbox's own. */
const UNROUTABLE = no('10006', 'The postal code, the city and the country do not belong together');
const NO_SERVICE = no('10006', 'The requested service is not offered between these places');
const NO_POINT = no('10006', 'The UPS Access Point is unknown');

type Order = ShipmentRequest['ShipmentRequest'];

/** Returns false for the one number that no shipper has. */
export function isShipper(number: string): boolean {
  return number !== '000000';
}

export function isUnroutable({ PostalCode = '', City }: { PostalCode?: string | undefined; City: string }): boolean {
  return PostalCode === '00000' || /INESISTENTE/i.test(City);
}

/** Refuses well-formed requests as UPS does. */
export function refusalOf({ Shipment: order }: Order): Refusal | null {
  const { Shipper, ShipTo, PaymentInformation, AlternateDeliveryAddress: point } = order;
  const origin = order.ShipFrom ?? Shipper;
  const isAbroad = origin.Address.CountryCode !== ShipTo.Address.CountryCode;
  if (!isShipper(Shipper.ShipperNumber)) return NO_SHIPPER;
  if (
    PaymentInformation.ShipmentCharge.some(({ BillShipper }) => BillShipper.AccountNumber !== Shipper.ShipperNumber)
  ) {
    return NO_SHIPPER;
  }
  if (isUnroutable(ShipTo.Address) || isUnroutable(origin.Address)) return UNROUTABLE;
  if (!SERVICES.has(order.Service.Code)) return NO_SERVICE;
  if (isAbroad && (!ShipTo.AttentionName || !ShipTo.Phone)) return no('10006', 'ShipTo needs AttentionName and Phone');
  const isToPoint = order.ShipmentIndicationType?.some(({ Code }) => Code === '02') ?? false;
  if (isToPoint !== (point !== undefined)) return no('10006', 'AlternateDeliveryAddress goes with an indication');
  if (point && !accessPoints.some(({ id }) => id === point.UPSAccessPointID)) return NO_POINT;
  return order.ReturnService ? returnRefusalOf(order) : null;
}

function returnRefusalOf({ ShipFrom, Package, ShipmentServiceOptions }: Order['Shipment']): Refusal | null {
  if (!ShipFrom) return no('10006', 'ShipFrom is required for a return shipment');
  if (Package.length > 20) return no('10006', 'A return shipment takes up to 20 packages');
  if (Package.some(({ Description }) => !Description)) return no('10006', 'A returned package needs a description');
  return ShipmentServiceOptions?.COD ? no('10006', 'COD is not valid for return service movements') : null;
}

export function bookedOf({ Shipment: order }: Order, books: Books): Shipment {
  const { Shipper, ShipTo, ShipmentServiceOptions: options } = order;
  const cod = options?.COD?.CODAmount;
  return books.add(
    {
      shipper: Shipper.ShipperNumber,
      service: order.Service.Code,
      references: (order.ReferenceNumber ?? []).map(({ Value }) => Value),
      sender: placeOf(order.ShipFrom ?? Shipper),
      isReturn: order.ReturnService !== undefined,
      recipient: placeOf(ShipTo),
      point: order.AlternateDeliveryAddress?.UPSAccessPointID ?? null,
      cod: cod ? `${cod.MonetaryValue} ${cod.CurrencyCode}` : null,
      description: order.Description ?? '',
      isDeclared: options?.InternationalForms !== undefined,
      // Shippers live in real time, whatever the parcels' clock says.
      pickupDate: wallClock(systemClock(), 'Europe/Rome').date.replaceAll('-', ''),
    },
    order.Package.map(({ PackageWeight }) => PackageWeight?.Weight ?? '0'),
  );
}

function placeOf({ Name, Address }: Order['Shipment']['ShipTo']): Place {
  const { AddressLine, PostalCode = '', City, CountryCode } = Address;
  return { name: Name, street: AddressLine.join(', '), zip: PostalCode, city: City, country: CountryCode };
}

const price = (value: string) => ({ CurrencyCode: 'EUR', MonetaryValue: value });

export async function shipAnswer(order: Order, shipment: Shipment): Promise<object> {
  const { Code: format } = order.LabelSpecification.LabelImageFormat;
  const weight = shipment.packages.reduce((sum, one) => sum + Number(one.weight), 0);
  const base = 6 + weight;
  return {
    ShipmentResponse: {
      Response: {
        ...SUCCESS,
        TransactionReference: order.Request.TransactionReference ?? {},
      },
      ShipmentResults: {
        ShipmentCharges: {
          TransportationCharges: price(base.toFixed(2)),
          ServiceOptionsCharges: price('0.00'),
          TotalCharges: price(base.toFixed(2)),
        },
        BillingWeight: {
          UnitOfMeasurement: { Code: 'KGS', Description: 'Kilograms' },
          Weight: weight.toFixed(1),
        },
        ShipmentIdentificationNumber: shipment.id,
        PackageResults: shipment.packages.map(({ number }, index) => ({
          TrackingNumber: number,
          ShippingLabel: {
            ImageFormat: { Code: format, Description: format },
            GraphicImage: (format === 'ZPL' ? zplLabel(shipment, index + 1) : GIF).toString('base64'),
          },
        })),
        ...(await formOf(order, shipment)),
      },
    },
  };
}

async function formOf(order: Order, shipment: Shipment): Promise<object> {
  const forms = order.Shipment.ShipmentServiceOptions?.InternationalForms;
  if (!forms) return {};
  const lines = forms.Product.map(
    ({ Description, Unit }) => `${Description.join(' ')}: ${Unit.Number} x ${Unit.Value} ${forms.CurrencyCode}`,
  );
  const bytes = await pdfInvoice('A4', `INVOICE ${forms.InvoiceNumber}`, [`Shipment ${shipment.id}`, ...lines]);
  return {
    Form: {
      Code: '01',
      Description: 'All Requested International Forms',
      Image: { ImageFormat: { Code: 'PDF', Description: 'PDF' }, GraphicImage: bytes.toString('base64') },
    },
  };
}

export function voidAnswer(books: Books, number: string): object | Refusal {
  const shipment = books.find(number);
  if (!shipment) return no('190102', 'No shipment found within the allowed void period');
  if (shipment.voidedAt !== null) return no('190117', 'The Shipment has already been voided');
  if (isPickedUp(shipment, books.now())) return no('190101', 'Time for voiding has expired.');
  books.void(shipment);
  const voided = { Code: '1', Description: 'Voided' };
  return {
    VoidShipmentResponse: {
      Response: SUCCESS,
      SummaryResult: { Status: voided },
      ...(shipment.packages.length === 1
        ? {}
        : {
            PackageLevelResults: shipment.packages.map((one) => ({ TrackingNumber: one.number, Status: voided })),
          }),
    },
  };
}
