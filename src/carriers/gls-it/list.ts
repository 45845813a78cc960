import type { CarrierContext } from '../adapter.ts';
import type { Account, ListedShipment } from './schema.ts';
import { callLabelService, flatCredentials } from './wire.ts';
import { childOf, fieldsOf, findAll } from './xml.ts';

type Context = CarrierContext<Account>;

const FIELDS_OF_AN_ITEM = ['NumSpedizione', 'Ddt', 'RiferimentiCliente'] as const;
/** Some 5000 shipments that are not closed. Their list takes a third of a second to parse. */
const WHOLE_DAY = { maxBytes: 4 * 1024 * 1024, maxMarkup: 100_000 };
const CLOSED = /^CHIUSA\b/i;

/** Returns the raw items of ListSped: unreadable ones matter to some callers and not to others. */
export async function listShipments(context: Context): Promise<Record<string, string>[]> {
  const form = flatCredentials(context.account);
  const answer = await callLabelService(context, { method: 'ListSped', effect: 'read', form, ...WHOLE_DAY });
  const items = findAll(answer, (node) => FIELDS_OF_AN_ITEM.some((name) => childOf(node, name) !== undefined));
  // An error text in a shape we do not know must not pass for "no shipments": that would sell a second label.
  const says = findAll(answer, ({ name, text }) => text !== '' && name !== 'DescrizioneErrore');
  if (items.length === 0 && says.length > 0) {
    throw new Error('ListSped answered something that is not a list');
  }
  return items.map(fieldsOf);
}

export function isClosed({ StatoSpedizione }: Pick<ListedShipment, 'StatoSpedizione'>): boolean {
  return CLOSED.test(StatoSpedizione);
}

/** Reads the list of shipments, which only valid credentials get. */
export async function verifyAccount(context: Context): Promise<void> {
  await listShipments(context);
}
