import type { Request, Response } from 'express';
import { objectIn } from '../../order-partner.ts';
import { sendNotFound, sendProblem } from './answers.ts';
import type { KauflandBooks } from './books.ts';

/** Some carriers; which ones the real list holds is for the real one to say. */
export const CARRIERS = [
  { name: 'Cargo International', isHauler: true },
  { name: 'DHL', isHauler: false },
  { name: 'FedEx', isHauler: false },
  { name: 'GLS', isHauler: false },
  { name: 'UPS', isHauler: false },
  { name: 'Other', isHauler: false },
  { name: 'Other Hauler', isHauler: true },
];
const NOT_ALLOWED = {
  type: 'action-not-allowed',
  message: 'The order unit is not in a status that allows this action',
};
const FIELDS = ['tracking_numbers', 'carrier_code'];

/** Handles `SendOrderUnit`: one piece has left. */
export function sendUnit(books: KauflandBooks, request: Request, response: Response): void {
  const found = books.findUnit(request.params.id);
  if (!found) return void sendNotFound(response);
  const body = (request.is('application/json') && objectIn(request)) || {};
  const errors = faultsOf(body);
  if (errors.length > 0) {
    const message = 'Request parameters have invalid values';
    return void sendProblem(response, { status: 400, message, type: 'validation-error', errors });
  }
  const { order, unit } = found;
  const refusal = refusalOf(unit.status, order.fulfillment_type);
  if (refusal) return void sendProblem(response, { status: 403, ...refusal });
  books.state.sendings.push({
    id_order: order.id_order,
    id_order_unit: unit.id_order_unit,
    tracking_numbers: String(body.tracking_numbers),
    carrier_code: String(body.carrier_code),
  });
  books.setStatus(unit, 'sent');
  response.status(204).end();
}

/** Handles `FulfilOrderUnit`: the seller has begun with it. */
export function fulfilUnit(books: KauflandBooks, request: Request, response: Response): void {
  const found = books.findUnit(request.params.id);
  if (!found) return void sendNotFound(response);
  if (found.unit.status !== 'open') return void sendProblem(response, { status: 403, ...NOT_ALLOWED });
  books.setStatus(found.unit, 'need_to_be_sent');
  response.status(204).end();
}

/** Kaufland does not describe which words it has for these: the types are of its list, the choice is ours. */
function refusalOf(status: string, fulfilment: unknown): { type: string; message: string } | null {
  if (fulfilment === 'fulfilled_by_kaufland' || !['open', 'need_to_be_sent', 'sent'].includes(status)) {
    return NOT_ALLOWED;
  }
  return status === 'sent' ? { type: 'duplicate-action', message: 'The order unit was already marked as sent' } : null;
}

function faultsOf(body: Record<string, unknown>): { field: string; message: string }[] {
  const unknown = Object.keys(body).filter((name) => !FIELDS.includes(name));
  const empty = FIELDS.filter((name) => typeof body[name] !== 'string' || String(body[name]).trim() === '');
  const isListed = CARRIERS.some(({ name }) => name === body.carrier_code);
  return [
    ...unknown.map((field) => ({ field, message: 'not known' })),
    ...empty.map((field) => ({ field, message: 'is required' })),
    ...(isListed || empty.includes('carrier_code') ? [] : [{ field: 'carrier_code', message: 'not valid' }]),
  ];
}
