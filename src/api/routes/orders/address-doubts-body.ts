import { addressDoubts } from '../../../domain/addresses/address-doubts.ts';
import type { OrderView } from '../../../usecases/orders/read-orders.ts';

/** Lists the doubts about the shipping address, by the fields of order creation. */
export function addressDoubtsBody({ address }: Pick<OrderView, 'address'>) {
  const doubts = addressDoubts({
    countryCode: address.countryCode,
    province: address.state,
    city: address.city,
    zip: address.zip,
    address: `${address.address} ${address.address2}`,
  });
  return doubts.map(({ field, message, suggestion }) => ({
    pointer: `/shipping/${field}`,
    message,
    suggestion: suggestion ?? null,
  }));
}

/** Names the doubtful fields, never their values, because proxies log headers. Absent without doubts. */
export function addressDoubtsHeader(view: Pick<OrderView, 'address'>): Record<string, string> {
  const pointers = new Set(addressDoubtsBody(view).map(({ pointer }) => pointer));
  return pointers.size === 0 ? {} : { 'X-Address-Doubts': [...pointers].join(', ') };
}
