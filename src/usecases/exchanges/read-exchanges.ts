import { raw } from '@mikro-orm/core';
import { Exchange, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { type ExchangeBodies, unpackBodies } from '../../engine/exchange-bodies.ts';
import { notFound } from '../../engine/find.ts';

/** Everything about an exchange but what was said. */
export type ExchangeHead = Pick<
  Exchange,
  | 'id'
  | 'companyId'
  | 'shipmentId'
  | 'attemptId'
  | 'requestId'
  | 'provider'
  | 'operation'
  | 'effect'
  | 'method'
  | 'url'
  | 'status'
  | 'error'
  | 'durationMs'
  | 'startedAt'
>;

/** `bodies` is null when they are not kept any more. */
export interface ExchangeView {
  exchange: ExchangeHead;
  bodies: ExchangeBodies | null;
}

export interface Page {
  limit: number;
  beforeId: number | null;
}

/** For operations, who look over all companies. Null: any. */
export interface ExchangeFilter extends Page {
  shipmentId: number | null;
  orderId: number | null;
  provider: string | null;
  /** Broke on the wire, was answered with an error, or belongs to an attempt that did not succeed. */
  isFailed: boolean;
}

/** What was said about a shipment of the company, newest first. */
export async function listShipmentExchanges(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; shipmentId: number } & Page,
): Promise<ExchangeHead[]> {
  const em = companyEm(deps.orm, input.companyId);
  if ((await em.count(Shipment, { id: input.shipmentId })) === 0) throw notFound('shipment');
  return findHeads(em, [{ shipmentId: input.shipmentId }], input);
}

/** What was said with whomever, newest first. */
export async function findExchanges(deps: Pick<Deps, 'orm'>, filter: ExchangeFilter): Promise<ExchangeHead[]> {
  const em = systemEm(deps.orm);
  const where: object[] = [];
  if (filter.shipmentId !== null) where.push({ shipmentId: filter.shipmentId });
  if (filter.provider !== null) where.push({ provider: filter.provider });
  if (filter.orderId !== null) {
    const shipments = await em.find(Shipment, { orderId: filter.orderId }, { fields: ['id'] });
    where.push({ shipmentId: { $in: shipments.map((shipment) => shipment.id) } });
  }
  if (filter.isFailed) {
    const outcome = raw('(select a.result from shipment_attempts a where a.id = attempt_id)');
    where.push({
      $or: [
        { error: { $ne: null } },
        { status: null },
        { status: { $lt: 200 } },
        { status: { $gte: 300 } },
        { [outcome]: { $in: ['failed', 'unknown'] } },
      ],
    });
  }
  return findHeads(em, where, filter);
}

function findHeads(em: Em, where: readonly object[], page: Page): Promise<ExchangeHead[]> {
  const older = page.beforeId === null ? [] : [{ id: { $lt: page.beforeId } }];
  return em.find(
    Exchange,
    { $and: [...where, ...older] },
    { exclude: ['bodies'], orderBy: { id: 'desc' }, limit: page.limit },
  );
}

/** One exchange with what was said; of any company when none is given. */
export async function readExchange(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number | null; exchangeId: number },
): Promise<ExchangeView> {
  const em = input.companyId === null ? systemEm(deps.orm) : companyEm(deps.orm, input.companyId);
  const exchange = await em.findOne(Exchange, input.exchangeId);
  if (!exchange) throw notFound('exchange');
  return { exchange, bodies: exchange.bodies === null ? null : await unpackBodies(exchange.bodies as Buffer) };
}
