import type { OperationView } from '../engine/read-operation.ts';
import { Big, centsToNumber, centsToString } from '../lib/decimal.ts';
import type { ManifestView } from '../usecases/manifests/read-manifests.ts';
import type { CreatedOrder } from '../usecases/orders/create-order.ts';
import type { OrderView } from '../usecases/orders/read-orders.ts';

type CarrierRow = ManifestView['carrier'];

export function iso(at: Date): string {
  return at.toISOString();
}

export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** Kilograms as a decimal string with three places. */
export function kilograms(grams: number): string {
  return new Big(grams).div(1000).toFixed(3);
}

/** Logos are ours to serve. */
export function logoUrl(path: string, publicUrl: string): string {
  return path.startsWith('/') ? `${publicUrl}${path}` : path;
}

export function carrierBody(row: CarrierRow, publicUrl: string) {
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    marketplaceCarrierCode: row.marketplaceCarrierCode,
    logoUrl: logoUrl(row.logoUrl, publicUrl),
    sortOrder: row.sortOrder,
    isNew: row.isNew,
    isActive: row.isActive,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}

export function orderBody({ order }: Pick<OrderView, 'order'>) {
  return {
    id: order.id,
    companyId: String(order.companyId),
    orderNumber: order.orderNumber,
    status: order.status,
    currency: order.currency,
    totalNetAmount: centsToString(order.netCents),
    totalVatAmount: centsToString(order.vatCents),
    totalGrossAmount: centsToString(order.grossCents),
    saleShippingCost: centsToString(order.shippingNetCents),
    insuranceAmount: centsToString(order.insuranceCents),
    shippingCostGrossAmount: centsToNumber(order.shippingGrossCents),
    insurance: order.insurance,
    buyerOrderNote: order.buyerOrderNote,
    parcelNumber: Math.max(1, order.parcels.length),
    companyCustomersId: order.customerId,
    companyCustomerAddressId: order.customerAddressId,
    dateMarketplaceCreation: isoOrNull(order.marketplaceCreatedAt),
    dateImport: iso(order.importedAt),
  };
}

export function createdOrderBody({ order, items, customer, address }: CreatedOrder) {
  const { id, fullName, email, phone } = customer;
  return {
    order: orderBody({ order }),
    orderItems: items.map((item) => ({
      id: item.id,
      title: item.title,
      sku: item.sku,
      companyProductId: item.clientProductId ?? item.productId ?? '',
      quantity: item.quantity,
      unitPriceGross: Number(item.unitPriceGross),
      unitPriceNet: Number(item.unitPriceNet),
      totalAmountNet: centsToNumber(item.totalNetCents),
      totalAmountGross: centsToNumber(item.totalGrossCents),
    })),
    customer: {
      id,
      fullName,
      email,
      phone,
      billingCompany: customer.billingCompany,
      billingAddress: customer.billingAddress,
      billingCity: customer.billingCity,
      billingState: customer.billingState,
      billingZip: customer.billingZip,
      billingCountry: customer.billingCountry,
      billingVat: customer.billingVat,
      billingCodiceFiscale: customer.billingCodiceFiscale,
      createdAt: iso(customer.createdAt),
      updatedAt: iso(customer.updatedAt),
    },
    customerAddress: {
      id: address.id,
      fullName: address.fullName,
      company: address.company,
      phone: address.phone,
      address: address.address,
      address2: address.address2,
      city: address.city,
      state: address.state,
      zip: address.zip,
      country: address.country,
      countryCode: address.countryCode,
      createdAt: iso(address.createdAt),
      updatedAt: iso(address.updatedAt),
    },
    totals: {
      netAmount: centsToNumber(order.netCents),
      vatAmount: centsToNumber(order.vatCents),
      grossAmount: centsToNumber(order.grossCents),
    },
  };
}

/** Returns what the contract calls the status of a shipment: the carrier's once it has spoken, else ours. */
export function shipmentStatus(shipment: {
  trackingStatus: string | null;
  processStatus: string;
  expiredAt: Date | null;
  exhaustedAt: Date | null;
}): string {
  if (shipment.expiredAt !== null) return 'expired';
  // No worker will take it up again: "queued" would let the client wait for ever.
  if (shipment.processStatus === 'queued' && shipment.exhaustedAt !== null) return 'failed';
  return shipment.trackingStatus ?? shipment.processStatus;
}

const PAST: Record<string, string> = { create: 'created', transmit: 'transmitted' };

/** The truth per order, also while some are still being worked on. */
export function batchBody({ operation, items, open }: OperationView) {
  const done = items.flatMap((item) => (item.status === 'succeeded' && item.orderId !== null ? [item.orderId] : []));
  const errors = items.flatMap((item) =>
    item.status === 'failed' && item.orderId !== null ? [{ id: item.orderId, message: item.message }] : [],
  );
  const parts = [
    `${done.length} of ${items.length} ${PAST[operation.kind] ?? 'done'}`,
    ...(errors.length > 0 ? [`${errors.length} failed`] : []),
    ...(open > 0 ? [`${open} still in progress`] : []),
  ];
  return {
    success: open === 0 && errors.length === 0,
    message: parts.join(', '),
    total: items.length,
    details: { success: done, errors },
  };
}
