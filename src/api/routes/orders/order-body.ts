import { centsToNumber, centsToString } from '../../../lib/decimal.ts';
import type { CreatedOrder } from '../../../usecases/orders/create-order.ts';
import type { OrderView } from '../../../usecases/orders/read-orders.ts';
import type { ListedOrder } from '../../../usecases/search/list-orders.ts';
import { iso, isoOrNull } from '../../http/format.ts';

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

/** Returns an order as lists show it. */
export function listedOrderBody({ order, address }: ListedOrder) {
  return {
    ...orderBody({ order }),
    recipient: {
      name: address?.fullName ?? '',
      company: address?.company ?? '',
      city: address?.city ?? '',
      zip: address?.zip ?? '',
      province: address?.state ?? '',
      countryCode: address?.countryCode ?? '',
    },
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
