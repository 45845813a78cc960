import type { Request, Response } from 'express';
import { objectIn } from '../../order-partner.ts';
import { sendErrors, sendInvalid, sendInvalidType, sendNotFound } from './answers.ts';
import { type AmazonBooks, itemsOf, leftOf, type StoredOrder, type StoredPackage } from './books.ts';

const WRONG_ITEM =
  'OrderItemId is invalid, please obtain the value through the getOrderItems API or Manage Orders page';
/** Said of an order that has nothing left for another package. */
const NO_PACKAGE =
  'Failed to create package due to not finding a matching package or order already fulfilled. ErrorMessage(errorCode=GeneralError, errorDescription=Unable to find package to update for order (), errorMetric=PackageToUpdateNotFound, packageIndex=null)';
const SHIPPABLE = ['UNSHIPPED', 'PARTIALLY_SHIPPED', 'SHIPPED'];
/** Some of the codes of amzn-base.xsd; Amazon's real list is in Seller Central. */
const CARRIERS = ['UPS', 'FedEx', 'DHL', 'GLS', 'TNT', 'DPD', 'Poste Italiane', 'SDA', 'USPS', 'Other'];
const TEXTS = ['packageReferenceId', 'carrierCode', 'trackingNumber', 'shipDate'] as const;

/** Handles `confirmShipment`: adds a package, or changes the one with the same reference. */
export function confirmShipment(books: AmazonBooks, request: Request, response: Response): void {
  if (!request.is('application/json')) {
    return void sendErrors(response, 415, {
      code: 'UnsupportedMediaType',
      message: 'The media type is not supported.',
    });
  }
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNotFound(response, String(request.params.orderId));
  const { marketplaceId, packageDetail: detail } = objectIn(request) ?? {};
  if (typeof marketplaceId !== 'string') return void sendInvalidType(response, 'marketplaceId');
  if (marketplaceId !== (order.salesChannel as { marketplaceId?: string }).marketplaceId) {
    return void sendNotFound(response, order.orderId);
  }
  if (!isObject(detail)) return void sendInvalidType(response, 'packageDetail');
  const untyped = TEXTS.find((name) => typeof detail[name] !== 'string' || detail[name] === '');
  if (untyped) return void sendInvalidType(response, `packageDetail.${untyped}`);
  const complaint = complaintAbout(detail);
  if (complaint) return void sendInvalid(response, ...complaint);
  const items = readItems(order, detail.orderItems);
  if (!items) return void sendInvalid(response, WRONG_ITEM);
  if (!isFree(order, String(detail.packageReferenceId), items)) return void sendInvalid(response, NO_PACKAGE);
  books.ship(order, {
    packageReferenceId: String(detail.packageReferenceId),
    createdTime: books.world.now().toISOString(),
    packageStatus: { status: 'SHIPPED' },
    carrier: String(detail.carrierCode === 'Other' ? detail.carrierName : detail.carrierCode),
    shipTime: String(detail.shipDate),
    trackingNumber: String(detail.trackingNumber),
    packageItems: items,
  });
  response.status(204).end();
}

/** Message and details, or null. */
function complaintAbout(detail: Record<string, unknown>): [string, string?] | null {
  if (!/^[1-9]\d*$/.test(String(detail.packageReferenceId))) {
    return ['PackageReferenceId: is invalid, must be a positive numeric value.'];
  }
  const isNamed = typeof detail.carrierName === 'string' && detail.carrierName !== '';
  if (!CARRIERS.includes(String(detail.carrierCode))) return ['packageDetail.carrierCode is not valid.'];
  if (detail.carrierCode === 'Other' && !isNamed) return ['packageDetail.carrierName is required.'];
  const shipDate = String(detail.shipDate);
  const isUtc = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]00:00)$/.test(shipDate) && !Number.isNaN(Date.parse(shipDate));
  return isUtc ? null : ['Invalid Input', 'Invalid date/time field: packageDetail.shipDate'];
}

/** Null when they are no list, or name something that the order does not have. */
function readItems(order: StoredOrder, given: unknown): StoredPackage['packageItems'] | null {
  if (!Array.isArray(given) || given.length === 0) return null;
  const known = new Set(itemsOf(order).map(({ orderItemId }) => orderItemId));
  const areRight = given.every(
    (item) => known.has(item?.orderItemId) && Number.isInteger(item.quantity) && item.quantity > 0,
  );
  return areRight ? given.map(({ orderItemId, quantity }) => ({ orderItemId, quantity })) : null;
}

/** Whether the order can be shipped and has the pieces, those of the package that is changed counted as free. */
function isFree(order: StoredOrder, reference: string, items: StoredPackage['packageItems']): boolean {
  const { fulfillmentStatus, fulfilledBy } = order.fulfillment as Record<string, string>;
  if (fulfilledBy !== 'MERCHANT' || !SHIPPABLE.includes(fulfillmentStatus ?? '')) return false;
  const others = { ...order, packages: order.packages.filter((each) => each.packageReferenceId !== reference) };
  return itemsOf(order).every((item) => {
    const wanted = items.filter(({ orderItemId }) => orderItemId === item.orderItemId);
    return wanted.reduce((sum, { quantity }) => sum + quantity, 0) <= leftOf(others, item);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
