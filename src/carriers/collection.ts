const CASH = ['', 'CASH', 'COD', 'CONTRASSEGNO', 'CASH_ON_DELIVERY'];

/** Makes a look-up of a carrier's payment codes. It returns `cash` for every word for cash, and undefined for an unknown type. */
export function collectionModes(
  cash: string,
  others: Readonly<Record<string, string>>,
): (paymentType: string) => string | undefined {
  const modes = new Map([...CASH.map((word) => [word, cash] as const), ...Object.entries(others)]);
  return (paymentType) => modes.get(paymentType.trim().toUpperCase());
}
