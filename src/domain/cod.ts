const COD_METHODS = new Set(['COD', 'CONTRASSEGNO', 'CASH_ON_DELIVERY']);

/** Returns true when the courier collects the money. Every other payment method means that it is already settled. */
export function isCashOnDelivery(paymentMethod: string | null): boolean {
  return COD_METHODS.has((paymentMethod ?? '').trim().toUpperCase());
}
