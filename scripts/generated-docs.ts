import type { z } from 'zod';
import { adminDocument } from '../src/api/openapi/admin-document.ts';
import { openApiDocument } from '../src/api/openapi/document.ts';
import type { Carrier } from '../src/carriers/adapter.ts';
import { carriers } from '../src/carriers/index.ts';
import { Environment, VERSION } from '../src/config.ts';
import { HELD_ACTIONS, type HeldAction } from '../src/domain/held-actions.ts';
import type { HeldPolicy } from '../src/domain/held-policy.ts';
import { secretFields } from '../src/lib/call-partner.ts';
import type { Marketplace } from '../src/marketplaces/adapter.ts';
import { marketplaces } from '../src/marketplaces/index.ts';
import { SECRET_SETTINGS } from '../src/secret-files.ts';

/** Every file that is written from the code, by its path in the project: what `npm run docs` writes and `check:docs` compares. */
export const GENERATED_DOCS: Readonly<Record<string, () => string>> = {
  '.env.example': environmentExample,
  'docs/openapi.json': () => `${JSON.stringify(openApiDocument(VERSION), null, 2)}\n`,
  'docs/openapi-admin.json': () => `${JSON.stringify(adminDocument(VERSION), null, 2)}\n`,
  'docs/carriers.md': carriersPage,
  'docs/marketplaces.md': marketplacesPage,
};

const NOTICE = '<!-- Written by `npm run docs` from the code: change that, not this. -->';

/** Settings of docker-compose.yml alone; the process does not read them. */
const COMPOSE_SETTINGS = [
  ['HTTP_ADDRESS', 'Address of the machine that the api is published on; default: 127.0.0.1'],
  ['HTTP_PORT', 'Port of the machine that the api is published on; default: 3000'],
] as const;

function environmentExample(): string {
  const settings = Object.entries(Environment.shape).flatMap(([name, schema]) => {
    const fallback = defaultOf(schema);
    const about = schema.description ?? '';
    const fromFile = SECRET_SETTINGS.includes(name) ? [`#${name}_FILE=`] : [];
    return ['', `# ${about}`, fallback === undefined ? `#${name}=` : `#${name}=${fallback}`, ...fromFile];
  });
  return `${[
    '# Written by `npm run docs` from src/config.ts: every setting, with its default.',
    '# Copy it to .env, which every command reads from its working directory, and take the # away from what you change.',
    '# What is set in the environment already wins. An empty value counts as absent.',
    '# NAME_FILE takes the path of a file that holds the secret NAME; its last line break does not count.',
    ...settings,
    '',
    '# Only for docker-compose.yml, which takes its secrets from files of the directory secrets',
    ...COMPOSE_SETTINGS.flatMap(([name, about]) => ['', `# ${about}`, `#${name}=`]),
  ].join('\n')}\n`;
}

/** The default as it is written in an environment; undefined when the setting has none. */
function defaultOf(schema: z.ZodType): string | undefined {
  const { defaultValue } = schema.def as { defaultValue?: unknown };
  return defaultValue === undefined ? undefined : String(defaultValue);
}

interface Column<Row> {
  title: string;
  of(row: Row): string;
}

const yes = (is: unknown): string => (is ? 'yes' : '–');
const perSecond = (rate: { max: number; durationMs: number } | undefined): string =>
  rate ? `${rate.max} per ${rate.durationMs / 1000} s` : '–';

const CARRIER_COLUMNS: readonly Column<Carrier>[] = [
  { title: 'Code', of: ({ id }) => `\`${id}\`` },
  { title: 'Carrier', of: ({ id, label }) => `[${label}](../src/carriers/${id}/README.md)` },
  { title: 'Create', of: (carrier) => yes(carrier.createShipment) },
  { title: 'Find by reference', of: (carrier) => yes(carrier.findByReference) },
  { title: 'Label again', of: (carrier) => yes(carrier.fetchLabels) },
  { title: 'Transmit', of: (carrier) => (carrier.transmitShipments ? 'yes' : 'not needed') },
  { title: 'Cancel', of: (carrier) => yes(carrier.cancelShipment) },
  { title: 'Check address', of: (carrier) => yes(carrier.checkAddress) },
  { title: 'Track', of: (carrier) => yes(carrier.track) },
  { title: 'List held', of: (carrier) => yes(carrier.listHeld) },
  { title: 'Release held', of: (carrier) => yes(carrier.releaseHeld) },
  { title: 'Live rates', of: (carrier) => yes(carrier.rates) },
  { title: 'Pickups', of: (carrier) => yes(carrier.bookPickup) },
  { title: 'Lockers and shops', of: (carrier) => yes(carrier.findPickupPoints) },
  { title: 'Return labels', of: ({ ordersReturns }) => yes(ordersReturns) },
  { title: 'Verify account', of: (carrier) => yes(carrier.verifyAccount) },
  { title: 'COD', of: ({ supportsCod }) => yes(supportsCod) },
  { title: 'Insurance', of: ({ supportsInsurance }) => yes(supportsInsurance) },
  { title: 'Parcels', of: ({ limits }) => `up to ${limits.maxParcels}` },
  { title: 'Weight of one', of: ({ limits }) => `up to ${limits.maxWeightGrams / 1000} kg` },
  { title: 'Rate limit', of: ({ rateLimit }) => perSecond(rateLimit) },
  {
    title: 'Settling time',
    of: ({ settlingMs, findByReference }) => (findByReference ? `${settlingMs / 1000} s` : '–'),
  },
];

const HELD_COLUMNS: readonly Column<Carrier>[] = [
  { title: 'Carrier', of: ({ label }) => label },
  { title: 'By its interface', of: ({ heldActions }) => codes(heldActions ?? []) },
  { title: 'In its portal only', of: ({ held }) => (held?.portalActions ? codes(held.portalActions) : 'unknown') },
  { title: 'Billed', of: ({ held }) => codes(actionsThat(held, true)) },
  { title: 'Free', of: ({ held }) => codes(actionsThat(held, false)) },
  {
    title: 'Decides by itself after',
    of: ({ held }) => (held?.term ? `${held.term.days} ${held.term.of} days` : 'unknown'),
  },
  { title: 'And then', of: ({ held }) => held?.byDefault?.replaceAll('_', ' ') ?? 'unknown' },
];

function actionsThat(held: HeldPolicy | undefined, areBilled: boolean): HeldAction[] {
  return HELD_ACTIONS.filter((action) => held?.billed[action] === areBilled);
}

function codes(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ');
}

function carriersPage(): string {
  const rows = [...carriers.values()];
  return page([
    '# Carriers',
    NOTICE,
    'A dash means that the carrier, or its interface, has no such thing.\nThe settling time is how long after a lost answer a shipment may still be missing from a look-up by reference.\nLabel formats, quirks and what to ask the carrier for are on the page of each carrier, behind its name.',
    table(CARRIER_COLUMNS, rows),
    '## Giacenza',
    'The known rules; a rule that is missing here is unknown. [How a held parcel is decided about](held.md).',
    table(HELD_COLUMNS, rows),
    ...rows.flatMap(({ id, label, account, services }) => [
      `## ${label}`,
      `Fields of \`account\` in the \`apply\` file, under a contract with \`carrier: ${id}\`:`,
      accountTable(account),
      ...(services.length > 0 ? ['Service codes, for `carrier_options` of an order:', serviceTable(services)] : []),
    ]),
  ]);
}

const MARKETPLACE_COLUMNS: readonly Column<Marketplace>[] = [
  { title: 'Code', of: ({ id }) => `\`${id}\`` },
  { title: 'Marketplace', of: ({ id, label }) => `[${label}](../src/marketplaces/${id}/README.md)` },
  { title: 'Import orders', of: (marketplace) => yes(marketplace.listOrders) },
  { title: 'Follow changes until booked', of: (marketplace) => yes(marketplace.allowOrderUpdateAfterImport) },
  { title: 'Confirm shipment', of: (marketplace) => yes(marketplace.confirmShipment) },
  { title: 'Parts of a split order', of: ({ confirmsParts }) => partsTold(confirmsParts) },
  { title: 'Detects the kind of shop', of: (marketplace) => yes(marketplace.detect) },
  { title: 'Verify account', of: (marketplace) => yes(marketplace.verifyAccount) },
  { title: 'Rate limit', of: ({ rateLimit }) => perSecond(rateLimit) },
];

function partsTold(declared: Marketplace['confirmsParts']): string {
  return typeof declared === 'function' ? 'depends on the shop' : (declared ?? 'last');
}

function marketplacesPage(): string {
  const rows = [...marketplaces.values()];
  return page([
    '# Marketplaces',
    NOTICE,
    'How each of them is told that an order was shipped, and what it may refuse, is on its page, behind its name.',
    table(MARKETPLACE_COLUMNS, rows),
    'Parts of a split order: with `each`, a part is confirmed on its own with its lines. With `together`, all numbers go with the last part. With `last`, only the number of the last part is sent. An order that was split by parcels does not say which line is where, so `each` becomes `last`.',
    ...rows.flatMap(({ id, label, account }) => [
      `## ${label}`,
      `Fields of \`account\` in the \`apply\` file, under a connection with \`marketplace: ${id}\`:`,
      accountTable(account),
    ]),
  ]);
}

function accountTable(account: z.ZodType<unknown>): string {
  const { shape = {} } = account as { shape?: Record<string, z.ZodType> };
  const secrets = new Set(secretFields(account));
  return table(
    [
      { title: 'Field', of: ([name]) => `\`${name}\`` },
      { title: 'Required', of: ([, field]) => yes(!field.safeParse(undefined).success) },
      { title: 'Secret', of: ([name]) => yes(secrets.has(name)) },
    ],
    Object.entries(shape),
  );
}

function serviceTable(services: Carrier['services']): string {
  return table(
    [
      { title: 'Code', of: ({ code }) => `\`${code}\`` },
      { title: 'Service', of: ({ name }) => name },
    ],
    services,
  );
}

function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const head = columns.map(({ title }) => title);
  const body = rows.map((row) => columns.map((column) => column.of(row)));
  return [head, head.map(() => '---'), ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
