const COD_METHODS = new Set(['COD', 'CONTRASSEGNO', 'CASH_ON_DELIVERY']);

/** Whether the courier collects the money; every other payment method means that it is already settled. */
export function isCashOnDelivery(paymentMethod: string | null): boolean {
  return COD_METHODS.has((paymentMethod ?? '').trim().toUpperCase());
}
