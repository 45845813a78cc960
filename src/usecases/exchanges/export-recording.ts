import { Company, Connection, Customer, CustomerAddress, Exchange, Order, Warehouse } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { connectionSeal } from '../../engine/call-connection.ts';
import { contractSeal } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { type Booking, loadBooking } from '../../engine/shipment-draft.ts';
import type { Partner } from '../../lib/call-partner.ts';
import { secretFields } from '../../lib/call-partner.ts';
import { UsageError } from '../../lib/errors.ts';
import { type KnownValues, Placeholders } from '../../lib/placeholders.ts';
import { redactBody, redactValue } from '../../lib/redact-body.ts';
import type { Made } from './made.ts';
import { replayShipment } from './recorded-groups.ts';
import { type RecordedCall, type Recording, replayRecording } from './recording.ts';
import type { Replayed } from './replay-call.ts';

const NOTES = [
  'Replaced by something of the same shape: names, addresses, cities, phones, mails, tax codes, order numbers, the numbers of the contract.',
  'Left as they are, because answers depend on them: postal codes, provinces, countries, weights, contents, amounts, dates, tracking numbers, our references.',
  'Cut out: label bytes, tokens, passwords.',
];

/** The recording, and one sentence about it for the person who sends it. */
export interface ExportedRecording {
  recording: Recording;
  kept: string;
}

/** Exports the exchanges of one shipment without data that identifies people, the company or its contract. */
export async function exportRecording(deps: Deps, shipmentId: number): Promise<ExportedRecording> {
  const booking = await loadBooking(deps.orm, shipmentId);
  if (!booking) throw notFound('shipment');
  const replayed = await replayShipment(deps, shipmentId);
  if (replayed.length === 0) throw new UsageError(`Shipment ${shipmentId} has no stored exchanges`);
  const accounts = await accountsOf(deps, booking, new Set(replayed.map(({ partner }) => partner)));
  const placeholders = new Placeholders(await knownOf(deps, booking, accounts));
  const recording: Recording = {
    format: 1,
    source: await sourceOf(deps, shipmentId),
    recordedOn: (replayed[0]?.exchanges[0]?.startedAt ?? '').slice(0, 10),
    notes: NOTES,
    accounts: Object.fromEntries(
      [...accounts].map(([id, { partner, account }]) => [id, redactAccount(partner, account, placeholders)]),
    ),
    calls: replayed.map((one) => redactCall(one, placeholders)),
  };
  if (placeholders.leaks(JSON.stringify(recording.calls))) {
    throw new UsageError('Not written: the recording still contains a name, an address or a mail address');
  }
  const again = await replayRecording(deps, recording);
  const differing = again.filter(({ verdict }) => verdict === 'different').length;
  const kept = 'postal codes, tracking numbers and free texts of the carrier stay';
  return { recording, kept: differing === 0 ? kept : `${kept}, and ${differing} calls replay differently` };
}

function redactCall(
  { partner, method, input, exchanges, before, today, reason }: Replayed,
  placeholders: Placeholders,
) {
  const made = before ?? today;
  return {
    partner,
    method,
    reason,
    input: redactValue(JSON.parse(JSON.stringify(input)), placeholders) as Record<string, unknown>,
    made: made && redactMade(made, placeholders),
    isFromThen: before !== null,
    exchanges: exchanges.map((exchange) => ({
      ...exchange,
      path: decodedPath(exchange.path, placeholders),
      request: redactBody(exchange.request, placeholders),
      response: redactBody(exchange.response, placeholders),
    })),
  } satisfies RecordedCall;
}

function redactMade(made: Made, placeholders: Placeholders): Made {
  return {
    ...made,
    message: placeholders.text(made.message),
    trackingNumber: placeholders.text(made.trackingNumber),
    details: made.details.map((detail) => placeholders.text(detail)),
  };
}

/** Replaces whole path segments, because a short order number could also be part of another number. */
function decodedPath(path: string, placeholders: Placeholders): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(placeholders.text(decodeURIComponent(part))))
    .join('/');
}

/** A partner on this machine is a simulated one. */
async function sourceOf(deps: Deps, shipmentId: number): Promise<Recording['source']> {
  const rows = await systemEm(deps.orm).find(Exchange, { shipmentId }, { fields: ['url'] });
  return rows.some(({ url }) => !/^https?:\/\/(127\.|localhost|\[::1\])/.test(url)) ? 'real' : 'pretend';
}

type Accounts = Map<string, { partner: Partner; account: Record<string, unknown> }>;

async function accountsOf(
  deps: Deps,
  { shipment, contract }: Booking,
  partners: ReadonlySet<string>,
): Promise<Accounts> {
  const em = systemEm(deps.orm);
  const order = await em.findOneOrFail(Order, shipment.orderId);
  const connection = order.connectionId === null ? null : await em.findOne(Connection, order.connectionId);
  const accounts: Accounts = new Map();
  for (const id of partners) {
    const [carrier, marketplace] = [deps.carriers.get(id), deps.marketplaces.get(id)];
    if (carrier) {
      const account = deps.vault.open(contract.credentials, contractSeal(contract.id));
      accounts.set(id, { partner: carrier, account: account as Record<string, unknown> });
    } else if (marketplace && connection) {
      const account = deps.vault.open(connection.credentials, connectionSeal(connection.id));
      accounts.set(id, { partner: marketplace, account: account as Record<string, unknown> });
    }
  }
  return accounts;
}

/** Removes the company's data from an account, as far as the adapter still accepts the account. */
function redactAccount(partner: Partner, account: Record<string, unknown>, placeholders: Placeholders) {
  const secrets = new Set(secretFields(partner.account));
  const redacted = { ...account };
  for (const [name, value] of Object.entries(account)) {
    if (typeof value !== 'string') continue;
    const replaced = isAddress(value)
      ? withoutHost(value)
      : secrets.has(name)
        ? placeholders.whole(value)
        : placeholders.text(value);
    const tried = { ...redacted, [name]: replaced };
    if (partner.account.safeParse(tried).success) redacted[name] = replaced;
    else if (secrets.has(name)) redacted[name] = '*'.repeat(value.length);
  }
  return redacted;
}

function isAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value);
}

function withoutHost(value: string): string {
  return `https://recorded.invalid${new URL(value).pathname}`.replace(/\/$/, '');
}

/** Columns that name only a region, or that identify no person. */
const NO_NAMES =
  /^(id|key|province|state|zip|postalCode|country|countryCode|billing(State|Zip|Country)|currency|createdAt|updatedAt)$/;
const CODES = /vat|fiscal|tax|email|pec|sdi|iban/i;

/** Lists all texts in our rows that identify people, the company or its contract. */
async function knownOf(deps: Deps, { shipment, draft }: Booking, accounts: Accounts): Promise<KnownValues> {
  const em = systemEm(deps.orm);
  const { companyId } = shipment;
  const order = await em.findOneOrFail(Order, shipment.orderId);
  const { customerId } = order;
  const rows: object[] = [
    ...(await em.find(Company, { id: companyId })),
    ...(await em.find(Warehouse, { companyId })),
    ...(await em.find(Customer, { id: customerId })),
    ...(await em.find(CustomerAddress, { companyId, customerId })),
    draft.sender,
    draft.recipient,
  ];
  const names: string[] = [];
  const codes = [order.orderNumber, order.externalOrderId ?? '', order.externalOrderNumber ?? '', draft.note];
  const phones: string[] = [];
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    if (typeof value !== 'string' || value === '' || NO_NAMES.test(name)) continue;
    if (/phone/i.test(name)) phones.push(value);
    else if (CODES.test(name)) codes.push(value);
    else names.push(value);
  }
  for (const { partner, account } of accounts.values()) codes.push(...accountNumbers(partner, account));
  return { names, codes, phones };
}

/** Lists account values that are the company's own: no URLs, no enumerations, no defaults of the adapter. */
function accountNumbers(partner: Partner, account: Record<string, unknown>): string[] {
  return Object.entries(account).flatMap(([name, value]) => {
    if (typeof value !== 'string' || isAddress(value)) return [];
    const { [name]: _left, ...others } = account;
    const without = partner.account.safeParse(others);
    const isDefault = without.success && (without.data as Record<string, unknown>)[name] === value;
    const isChoice = !partner.account.safeParse({ ...account, [name]: `${value}?` }).success && !/\d/.test(value);
    return isDefault || isChoice ? [] : [value];
  });
}
