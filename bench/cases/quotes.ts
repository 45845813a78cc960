/** `npm run bench -- quotes`: what a price costs in CPU, and how many past shipments a what-if prices per second. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import { Company, Contract } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { pastShipments } from '../../src/db/queries/past-shipments.ts';
import { compilePriceList } from '../../src/domain/pricing/compile.ts';
import { PriceList } from '../../src/domain/pricing/price-list.ts';
import { quote } from '../../src/domain/pricing/quote.ts';
import type { QuoteInput } from '../../src/domain/pricing/quote-input.ts';
import { ShippingRules } from '../../src/domain/shipping-rules.ts';
import type { Deps } from '../../src/engine/deps.ts';
import { silentLog } from '../../src/lib/log.ts';
import { quoteOrder } from '../../src/usecases/partners/read-lists.ts';
import { whatIf } from '../../src/usecases/quotes/what-if.ts';
import { tryRules } from '../../src/usecases/rules/try-rules.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { type Options, percent, type Section, tableOf } from '../section.ts';

const SHIPMENTS = 100_000;
const PURE_QUOTES = 200_000;
const QUOTES = 2000;
const ROUNDS = 3;
const GOAL_MS = 0.2;

interface QuoteCost {
  name: string;
  perSecond: number;
  cpuMs: number;
  /** The same rows, read without pricing; null when nothing compares. */
  floorPerSecond: number | null;
}

/** A list as large as real ones get: a zone per region, a bracket per kilogram, a thousand postal codes, fuel, options. */
function largeList(name: string, factor: number): unknown {
  const regions = 'ABR BAS CAL CAM EMR FVG LAZ LIG LOM MAR MOL PIE PUG SAR SIC TOS TAA UMB VDA VEN'.split(' ');
  const sale = (base: number) => ({
    brackets: Array.from({ length: 30 }, (_, at) => ({
      upToGrams: (at + 1) * 1000,
      price: (base + at * factor).toFixed(2),
    })),
    stepGrams: 5000,
    stepPrice: '2.1',
  });
  const postalCodes = Array.from({ length: 1000 }, (_, at) => String(10_000 + at * 7));
  return {
    name,
    rounding: 1000,
    areas: [{ code: 'DISADVANTAGED', name: 'Località disagiate', match: { postalCodes } }],
    zones: [
      { code: 'MINOR', name: 'Isole minori', match: { areas: ['MINOR_ISLANDS'] }, sale: sale(15) },
      ...regions.map((code, at) => ({
        code,
        name: code,
        match: { regions: [code] },
        sale: sale(5 + at / 10),
        purchase: sale(4),
      })),
    ],
    surcharges: [
      { name: 'Disagiata', kind: 'fixed', amount: 3, when: { areas: ['DISADVANTAGED'] } },
      { name: 'Oltre misura', kind: 'fixed', amount: 5, per: 'parcel', when: { parcelOverMm: 1200 } },
      { name: 'Carburante', kind: 'percent', base: ['transport'], amounts: [{ from: '2026-01-01', amount: '4.5' }] },
    ],
    options: [{ id: 1, code: 'COD', name: 'Contrassegno', kind: 'percent', price: '1.5', minimum: 3 }],
  };
}

/** The cost of one call, of the best of some rounds. */
async function measure(name: string, times: number, run: () => Promise<void>): Promise<QuoteCost> {
  await run(); // warms caches and the compiler
  let best: QuoteCost | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    await run();
    const [ms, used] = [performance.now() - started, process.cpuUsage(cpu)];
    const cost = {
      name,
      perSecond: (times / ms) * 1000,
      cpuMs: (used.user + used.system) / 1000 / times,
      floorPerSecond: null,
    };
    if (!best || cost.perSecond > best.perSecond) best = cost;
  }
  return best as QuoteCost;
}

/** Measures what one price costs, and what pricing a past full of shipments costs. */
export async function benchQuotes({ progress }: Options): Promise<Section> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-bench-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const { deps } = await openCore(stack, { config: readConfig({ DATA_DIR: dataDir }), log: silentLog, migrate: true });
  const { companyId, contractId, orderId } = await seed(deps);
  const period = { from: new Date('2026-01-01'), to: new Date('2027-01-01'), timeZone: 'Europe/Rome' };
  const whole = { companyKey: 'bench', from: '2026-01-01', to: '2026-12-31', contractKey: 'other' };

  progress('prices', 0);
  const pure = await measure('one price, computed', PURE_QUOTES, async () => computeQuotes(PURE_QUOTES));
  const single = await measure('one order priced, rows read from PostgreSQL', QUOTES, async () => {
    for (let at = 0; at < QUOTES; at++) await quoteOrder(deps, { companyId, orderId, contractId });
  });
  const floor = await measure('shipments of the past, read', SHIPMENTS, async () => {
    let count = 0;
    for await (const rows of pastShipments(systemEm(deps.orm), { companyId, ...period })) count += rows.length;
    if (count !== SHIPMENTS) throw new Error(`${count} shipments were read`);
  });
  const compared = await measure('shipments of the past, read and priced twice', SHIPMENTS, async () => {
    const { total } = await whatIf(deps, { ...whole, service: null, side: 'sale', pricesOf: null });
    if (total.shipments !== SHIPMENTS) throw new Error(`${total.shipments} shipments were priced`);
  });
  const rules = ShippingRules.parse([
    { key: 'heavy', when: { weight_kg: { from: 15 } }, then: { contract: 'other' } },
    { key: 'islands', when: { zip: ['90010-98199', '07*'] }, then: { contract: 'other' } },
    { key: 'mugs', when: { sku: ['MUG-*'] }, then: { contract: 'now' } },
  ]);
  const tried = await measure('shipments of the past, under other rules', SHIPMENTS, async () => {
    const trial = { companyKey: 'bench', rules, from: period.from, to: period.to, side: 'sale' as const };
    const { total, shifted } = await tryRules(deps, trial);
    if (total.now.shipments !== SHIPMENTS || shifted === 0) throw new Error(`${shifted} shipments were shifted`);
  });
  const beside = (cost: QuoteCost): QuoteCost => ({ ...cost, floorPerSecond: floor.perSecond });
  return sectionOf([pure, single, floor, beside(compared), beside(tried)]);
}

function computeQuotes(times: number): void {
  const prices = compilePriceList(PriceList.parse(largeList('Pure', 0.4)));
  const places = [
    ['BO', 'Bologna', '40121'],
    ['ME', 'Lipari', '98055'],
    ['SO', 'Bormio', '23032'],
    ['RM', 'Roma', '00184'],
  ];
  const inputs = places.map(
    ([province = '', city = '', zip = ''], at): QuoteInput => ({
      prices,
      day: '2026-11-21',
      contract: { coefficient: 300, maxWeightGrams: null },
      destination: { countryCode: 'IT', province, city, zip },
      parcels: [{ weightGrams: 1200 + at * 9000, lengthMm: 300, widthMm: 200, heightMm: 100 }],
      cod: at === 1 ? { amountCents: 9900, paymentType: '' } : null,
      insuredCents: null,
      optionCodes: [],
      isToPickupPoint: false,
      vat: { percent: '22', reason: '' },
    }),
  );
  let cents = 0;
  for (let at = 0; at < times; at++) {
    const priced = quote(inputs[at % inputs.length] as QuoteInput);
    if ('refused' in priced) throw new Error(priced.refused);
    cents += priced.totalPrice;
  }
  if (cents === 0) throw new Error('Nothing was priced');
}

async function seed(deps: Deps): Promise<{ companyId: number; contractId: number; orderId: number }> {
  const account = { sedeGls: 'YA', codiceClienteGls: '1', passwordClienteGls: 'x', codiceContrattoGls: '1' };
  const contract = (key: string) => ({ key, label: key, carrier: 'gls-it', account, tariff: key });
  const tariffs = [
    { key: 'now', ...(largeList('Now', 0.4) as object) },
    { key: 'other', ...(largeList('Other', 0.35) as object) },
  ];
  const company = { key: 'bench', name: 'Bench', tariffs, contracts: [contract('now'), contract('other')] };
  await apply(deps, ApplyDocument.parse({ companies: [company] }));
  const em = systemEm(deps.orm);
  const { id: companyId } = await em.findOneOrFail(Company, { key: 'bench' });
  const { id: contractId, carrierId } = await em.findOneOrFail(Contract, { companyId, key: 'now' });
  await em.execute(
    `with n as (select generate_series(1, ${SHIPMENTS}) as i),
          places as (select * from (values (0, 'BO', 'Bologna', '40121'), (1, 'ME', 'Lipari', '98055'),
                     (2, 'SO', 'Bormio', '23032'), (3, 'RM', 'Roma', '00184')) as p (i, state, city, zip)),
          c as (insert into customers (company_id, full_name) values (${companyId}, 'Bench') returning id),
          a as (insert into customer_addresses (company_id, customer_id, full_name, address, city, state, zip, country, country_code)
                select ${companyId}, c.id, 'Bench', 'Via 1', p.city, p.state, p.zip, 'Italia', 'IT' from c, n join places p on p.i = n.i % 4
                returning id, customer_id),
          o as (insert into orders (company_id, order_number, status, payment_method, net_cents, vat_cents, gross_cents, customer_id,
                                    customer_address_id, parcels, carrier_options, problems)
                select ${companyId}, a.id::text, 'transmitted', 'PREPAID', 1000, 220, 1220, a.customer_id, a.id,
                       '[{"weightGrams": 1200, "lengthMm": 300, "widthMm": 200, "heightMm": 100}]', '[]', '[]' from a returning id),
          s as (insert into shipments (company_id, order_id, contract_id, carrier_id, process_status, parcel_count, weight_grams, options,
                                       warnings, created_at)
                select ${companyId}, o.id, ${contractId}, ${carrierId}, 'transmitted', 1, 1200, '[]', '[]',
                       timestamptz '2026-01-01' + (o.id % 360) * interval '1 day' from o returning id)
     insert into parcels (company_id, shipment_id, position, weight_grams, length_mm, width_mm, height_mm)
     select ${companyId}, s.id, 1, 1000 + (s.id % 20) * 1000, 300, 200, 100 from s`,
  );
  await em.execute('analyze');
  const [order] = await em.execute<{ id: number }[]>('select min(id) as id from orders where company_id = ?', [
    companyId,
  ]);
  return { companyId, contractId, orderId: order?.id ?? 0 };
}

function sectionOf(rows: readonly QuoteCost[]): Section {
  const lines = rows.map(({ name, perSecond, cpuMs, floorPerSecond }) => [
    name,
    String(Math.round(perSecond)),
    cpuMs.toFixed(4),
    floorPerSecond === null ? '–' : percent(perSecond / floorPerSecond),
  ]);
  const [pure] = rows;
  return {
    title: 'Prices',
    table: tableOf(['Case', 'per second', 'CPU ms each', 'ratio to reading alone'], lines),
    notes: [
      `A price should take less than ${GOAL_MS} ms of CPU. The list has 21 zones of 30 brackets, an area of 1,000 postal codes, fuel and options.`,
    ],
    ratios: [
      ...rows.flatMap(({ name, perSecond, floorPerSecond }) =>
        floorPerSecond === null ? [] : [{ name, value: perSecond / floorPerSecond, goal: null }],
      ),
      ...(pure ? [{ name: 'time allowed for a price', value: GOAL_MS / pure.cpuMs, goal: 1 }] : []),
    ],
    data: rows,
  };
}
