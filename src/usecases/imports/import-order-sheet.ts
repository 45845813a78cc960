import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Company, Company as CompanyEntity } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { findOrderNumbers, insertNumberedOrders } from '../../db/queries/insert-order.ts';
import type { OrderRows } from '../../db/queries/order-rows.ts';
import type { SheetMapping } from '../../domain/order-sheet/headings.ts';
import { type SheetFault, type SheetOrder, withBodyFaults } from '../../domain/order-sheet/order-of-rows.ts';
import { type OrderSheet, readOrderSheetInSteps } from '../../domain/order-sheet/read-order-sheet.ts';
import { foldText, type Sheet } from '../../domain/pricing/sheets/sheet.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, readCompany, unprocessable } from '../../engine/find.ts';
import { Problem, UsageError } from '../../lib/errors.ts';
import { checkReferences, type NewOrder, newOrderRows } from '../orders/create-order.ts';

export interface OrderSheetImport {
  companyId: number;
  sheets: readonly Sheet[];
  /** Null: the first one. */
  sheetName: string | null;
  /** A mapping, the name of a saved one, or null: the headers are known ones. */
  mapping: SheetMapping | string | null;
  /** True: check everything and write nothing. */
  isDryRun: boolean;
}

/** The truth about one order of a sheet. */
export interface SheetOrderResult {
  orderNumber: string | null;
  /** Rows of the order, counted as in a spreadsheet. */
  rows: number[];
  /** `valid`: a dry run found nothing wrong. */
  status: 'created' | 'existing' | 'refused' | 'valid';
  orderId: number | null;
  faults: SheetFault[];
}

export interface OrderSheetReport {
  ignoredColumns: string[];
  /** In the order of the sheet. */
  orders: SheetOrderResult[];
}

/** Judges a body as `POST /orders` does. */
export type JudgeOrder = (body: unknown) => { order: NewOrder } | { faults: { pointer: string; message: string }[] };

/** Orders per transaction, so that other companies' requests get their turn between two. */
const GROUP = 50;

/**
 * Creates the orders of a sheet that the company does not have. An order with a fault is refused and fails no other. A
 * repeated import creates only what is missing. Throws a `Problem` for a sheet without the necessary columns.
 */
export async function importOrderSheet(
  deps: Pick<Deps, 'orm' | 'now'>,
  judge: JudgeOrder,
  { companyId, sheets, sheetName, mapping, isDryRun }: OrderSheetImport,
): Promise<OrderSheetReport> {
  const company = await readCompany(deps.orm, companyId);
  if (!company) throw notFound('company');
  const read = await betweenRequests(
    readOrderSheetInSteps(chosenSheet(sheets, sheetName), chosenMapping(company, mapping)),
  );
  if ('faults' in read) throw unreadable(read.faults);
  const planner = new Planner(deps, company, judge);
  const orders: SheetOrderResult[] = [];
  for (let at = 0; at < read.orders.length; at += GROUP) {
    const group = read.orders.slice(at, at + GROUP);
    const known = await findOrderNumbers(deps.orm, companyId, numbersOf(group));
    const planned: Planned[] = [];
    for (const order of group) planned.push(await planner.plan(order, known));
    orders.push(...(isDryRun ? planned.map(({ result }) => result) : await store(deps, planned)));
  }
  return { ignoredColumns: read.ignoredColumns, orders };
}

/** A sheet of 10,000 rows takes a fifth of a second, which would block all other requests, so the loop yields. */
async function betweenRequests(steps: Generator<void, OrderSheet>): Promise<OrderSheet> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await letOthersRun();
  }
}

/** Finds the id of a company by its key. Throws a `UsageError` for an unknown key. */
export async function companyIdOf({ orm }: Pick<Deps, 'orm'>, key: string): Promise<number> {
  const company = await systemEm(orm).findOne(CompanyEntity, { key });
  if (!company) throw new UsageError(`There is no company ${key}`);
  return company.id;
}

function chosenSheet(sheets: readonly Sheet[], name: string | null): Sheet {
  const chosen = name === null ? sheets[0] : sheets.find((sheet) => foldText(sheet.name) === foldText(name));
  if (chosen) return chosen;
  throw unreadable([`The file has no sheet ${name}. It has: ${sheets.map((sheet) => sheet.name).join(', ')}`]);
}

function chosenMapping({ settings }: Company, mapping: OrderSheetImport['mapping']): SheetMapping {
  if (mapping === null) return {};
  if (typeof mapping !== 'string') return mapping;
  const saved = settings.orderSheets ?? {};
  if (Object.hasOwn(saved, mapping)) return saved[mapping] ?? {};
  const names = Object.keys(saved).join(', ') || 'none';
  throw unreadable([`The company has no mapping ${mapping}. It has: ${names}`]);
}

function unreadable(faults: readonly string[]): Problem {
  return unprocessable(
    faults.join('. '),
    faults.map((message) => ({ pointer: '', message })),
  );
}

function numbersOf(orders: readonly SheetOrder[]): string[] {
  return orders.flatMap(({ orderNumber }) => (orderNumber === null ? [] : [orderNumber]));
}

interface Planned {
  result: SheetOrderResult;
  /** Null: there is nothing to store. */
  rows: OrderRows | null;
}

/** Checks the orders of one import; each warehouse and contract is looked up once. */
class Planner {
  readonly #deps: Pick<Deps, 'orm' | 'now'>;
  readonly #company: Company;
  readonly #judge: JudgeOrder;
  readonly #references = new Map<string, Promise<number | null>>();

  constructor(deps: Pick<Deps, 'orm' | 'now'>, company: Company, judge: JudgeOrder) {
    this.#deps = deps;
    this.#company = company;
    this.#judge = judge;
  }

  async plan(order: SheetOrder, known: ReadonlyMap<string, number>): Promise<Planned> {
    const orderId = order.orderNumber === null ? undefined : known.get(order.orderNumber);
    if (orderId !== undefined) return { result: resultOf(order, { status: 'existing', orderId }), rows: null };
    const judged = this.#judge(order.body);
    const made = 'faults' in judged ? judged : await this.#rowsOf(order, judged.order);
    const faults = withBodyFaults(order, 'faults' in made ? made.faults : []);
    if (faults.length > 0 || 'faults' in made) {
      return { result: resultOf(order, { status: 'refused', faults }), rows: null };
    }
    return { result: resultOf(order, { status: 'valid' }), rows: made.rows };
  }

  async #rowsOf(
    { day }: SheetOrder,
    order: NewOrder,
  ): Promise<{ rows: OrderRows } | { faults: { pointer: string; message: string }[] }> {
    try {
      const warehouseId = await this.#warehouseOf(order);
      // A day without a time zone: in Italy, midnight in UTC is the same day.
      const orderedAt = day === null ? {} : { orderedAt: new Date(`${day}T00:00:00Z`) };
      return { rows: newOrderRows(this.#company, { ...order, ...orderedAt, warehouseId }, this.#deps.now()) };
    } catch (error) {
      if (error instanceof Problem) return { faults: error.violations };
      throw error;
    }
  }

  #warehouseOf({ warehouseId, contractId }: NewOrder): Promise<number | null> {
    const key = JSON.stringify([warehouseId, contractId]);
    const known = this.#references.get(key);
    if (known) return known;
    const em = companyEm(this.#deps.orm, this.#company.id);
    const looked = checkReferences(em, { warehouseId, contractId, marketplace: null });
    this.#references.set(key, looked);
    return looked;
  }
}

function resultOf(
  { orderNumber, rows }: SheetOrder,
  { status, orderId = null, faults = [] }: Partial<SheetOrderResult> & Pick<SheetOrderResult, 'status'>,
): SheetOrderResult {
  return { orderNumber, rows, status, orderId, faults };
}

/** Another import may have stored a number meanwhile: that order is an existing one. */
async function store({ orm }: Pick<Deps, 'orm'>, planned: readonly Planned[]): Promise<SheetOrderResult[]> {
  const wanted = planned.flatMap(({ rows }) => (rows === null ? [] : [{ rows, once: null }]));
  const inserted = (wanted.length === 0 ? [] : await insertNumberedOrders(orm, wanted)).values();
  return planned.map(({ result, rows }) => {
    if (rows === null) return result;
    const one = inserted.next().value;
    if (one === undefined) throw new Error('There are fewer results than orders');
    return 'takenBy' in one
      ? { ...result, status: 'existing', orderId: one.takenBy }
      : { ...result, status: 'created', orderId: rows.order.id };
  });
}
