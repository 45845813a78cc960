import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Contract } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { pastShipments } from '../../db/queries/past-shipments.ts';
import type { Side } from '../../domain/pricing/quote-input.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, readCompany, unprocessable } from '../../engine/find.ts';
import { instantOf } from '../../lib/clock.ts';
import { compare, dayAfter, otherWay } from './what-if.ts';

/** A request is answered at once, so it ends here. */
const MAX_SHIPMENTS = 20_000;
/** Shipments between two turns of other requests: some milliseconds. */
const STEP = 250;

export interface PlaceQuestion {
  companyId: number;
  /** YYYY-MM-DD, both included, in the company's time zone. */
  from: string;
  to: string;
  contractId: number;
  side: Side;
  /** YYYY-MM-DD: prices of the other contract on this day; null: on the day of each shipment. */
  pricesOf: string | null;
}

/** Cents without VAT of the shipments that one contract took to one place. */
export interface PlaceDifference {
  contractId: number;
  countryCode: string;
  /** Empty: unknown, as in most countries. */
  province: string;
  shipments: number;
  nowCents: number;
  otherCents: number;
}

export interface WhatIfPlaces {
  rows: PlaceDifference[];
  left: { reason: string; shipments: number }[];
  /** True: only the first shipments of the period were priced. */
  isCapped: boolean;
}

/** Compares what past shipments cost with what they cost on a contract, by the contract they went with and their province. */
export async function whatIfPlaces(
  deps: Pick<Deps, 'orm' | 'priceBooks'>,
  question: PlaceQuestion,
): Promise<WhatIfPlaces> {
  const { companyId, contractId } = question;
  const company = await readCompany(deps.orm, companyId);
  if (!company) throw notFound('company');
  const em = companyEm(deps.orm, companyId);
  const contracts = new Map((await em.find(Contract, {})).map((contract) => [contract.id, contract]));
  const asked = contracts.get(contractId);
  if (!asked || asked.deleteFlag) throw notFound('carrier contract');
  if (asked.tariffId === null) throw unprocessable(`Contract ${asked.label} has no price list`);
  const other = otherWay([asked], { contractKey: asked.key, service: null });
  const book = await deps.priceBooks(em);
  const { timeZone } = company.settings;
  const period = { from: instantOf(question.from, '00:00', timeZone), to: dayAfter(question.to, timeZone) };

  const sums = new Map<string, PlaceDifference>();
  const reasons = new Map<string, number>();
  let read = 0;
  for await (const shipments of pastShipments(em, { companyId, timeZone, ...period })) {
    for (const shipment of shipments) {
      if (read >= MAX_SHIPMENTS) return { ...summed(sums, reasons), isCapped: true };
      read += 1;
      if (read % STEP === 0) await letOthersRun();
      const compared = await compare(book, shipment, { contracts, other, question });
      if ('left' in compared) reasons.set(compared.left, (reasons.get(compared.left) ?? 0) + 1);
      else add(sums, { ...compared, ...placeOf(shipment) });
    }
  }
  return { ...summed(sums, reasons), isCapped: false };
}

function placeOf(shipment: { contract_id: number; country_code: string; province: string }) {
  const { contract_id: contractId, country_code: countryCode } = shipment;
  return { contractId, countryCode, province: countryCode === 'IT' ? shipment.province : '' };
}

function add(sums: Map<string, PlaceDifference>, one: Omit<PlaceDifference, 'shipments'>): void {
  const { contractId, countryCode, province } = one;
  const key = [contractId, countryCode, province].join('/');
  const sum = sums.get(key) ?? { contractId, countryCode, province, shipments: 0, nowCents: 0, otherCents: 0 };
  sum.shipments += 1;
  sum.nowCents += one.nowCents;
  sum.otherCents += one.otherCents;
  sums.set(key, sum);
}

/** Sorts by contract, the largest amounts first. */
function summed(sums: ReadonlyMap<string, PlaceDifference>, reasons: ReadonlyMap<string, number>) {
  const rows = [...sums.values()].toSorted((a, b) => a.contractId - b.contractId || b.nowCents - a.nowCents);
  const left = [...reasons].map(([reason, shipments]) => ({ reason, shipments }));
  return { rows, left: left.toSorted((a, b) => b.shipments - a.shipments || a.reason.localeCompare(b.reason)) };
}
