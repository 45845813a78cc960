import { z } from 'zod';
import type { ShipmentConfirmation } from '../adapter.ts';
import { spellingsOf } from '../carrier-names.ts';
import type { Account } from './account.ts';
import { type MiraklContext, readMirakl } from './client.ts';
import { CarriersAnswer } from './schema.ts';

/** The operator's registered carriers, as kept with the connection. */
const Detected = z.object({
  carriers: z.array(z.object({ code: z.string().min(1), label: z.string(), standardCode: z.string() })),
});
type Detected = z.infer<typeof Detected>;

/** One that the operator registered, or any other by its name. */
export type Carrier = { code: string } | { name: string };

/** Reads the operator's carriers (SH21). They may be asked for once a day, so they are kept with the connection. */
export async function detect(context: MiraklContext): Promise<Detected> {
  const { carriers } = await readMirakl(context, { operation: 'SH21', path: 'shipping/carriers' }, CarriersAnswer);
  return {
    carriers: carriers
      .filter(({ code }) => code !== '')
      .map(({ code, label, standard_code: standardCode }) => ({ code, label, standardCode })),
  };
}

export function carrierOf(
  account: Account,
  { carrierId, carrierName }: ShipmentConfirmation,
  detected: Record<string, unknown>,
): Carrier {
  const configured = account.carrierNames?.[carrierId];
  if (configured) return { code: configured };
  const registered = Detected.safeParse(detected).data?.carriers ?? [];
  // Operators name and code carriers as they like. In our order: where the operator has both, "DHL Express" is meant before "DHL".
  for (const name of [carrierName, ...spellingsOf(carrierId, 'mirakl')]) {
    const found = registered.find((each) =>
      [each.label, each.code, each.standardCode].some((theirs) => plain(theirs) === plain(name)),
    );
    if (found) return { code: found.code };
  }
  return { name: carrierName };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
