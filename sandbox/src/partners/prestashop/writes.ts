import type { Request, RequestHandler, Response } from 'express';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Shown, sendError, sendRow } from './answers.ts';
import { mailFails } from './auth.ts';
import type { PrestashopBooks } from './books.ts';
import { RESOURCES, type Row } from './tables.ts';

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true });
const TRACKING = /^[~:#,%&_=()[\].? +\-@/a-zA-Z0-9]*$/;
const MAX_TRACKING_LENGTH = 64;

/** Changes a carrier row: PATCH what is given, PUT everything, with null for what is not given. */
export function updateOrderCarrier(books: PrestashopBooks): RequestHandler {
  return (request, response) => {
    const given = fieldsIn(request, response, 'order_carrier');
    if (!given) return;
    const isFull = request.method === 'PUT';
    if (isFull && !given.id) return refuse(request, response, 90, 'id is required when modifying a resource');
    const row = books.find('order_carriers', request.params.id);
    const order = row && books.find('orders', row.id_order);
    if (!row || !order) return refuse(request, response, 92, 'Invalid ID', 404);
    if (isFull && (!given.id_order || !given.id_carrier)) {
      return refuse(request, response, 41, 'parameter "id_order" required');
    }
    const number = given.tracking_number ?? '';
    if (!TRACKING.test(number) || number.length > MAX_TRACKING_LENGTH) {
      return refuse(request, response, 85, 'Validation error: "Property OrderCarrier->tracking_number is not valid"');
    }
    for (const field of RESOURCES.order_carriers?.fields ?? []) {
      if (field in given) row[field] = field === 'id' ? row.id : given[field];
      else if (isFull && field !== 'date_add') row[field] = null;
    }
    books.changed(order);
    const wantsMail = request.query.sendemail === '1' && Boolean(books.find('carriers', order.id_carrier)?.url);
    if (wantsMail && mailFails(response)) return refuse(request, response, 46, 'Unable to save resource', 500);
    if (wantsMail) books.mail(order, 'in_transit');
    sendRow(request, response, { status: 200, element: 'order_carrier', row: row as Shown });
  };
}

/** Gives an order its next state; a second row for the same state is a second mail. */
export function createOrderHistory(books: PrestashopBooks): RequestHandler {
  return (request, response) => {
    const given = fieldsIn(request, response, 'order_history');
    if (!given) return;
    if (given.id) return refuse(request, response, 91, 'id is forbidden when adding a new resource');
    for (const field of ['id_order_state', 'id_order']) {
      if (!given[field]) return refuse(request, response, 41, `parameter "${field}" required`);
    }
    const order = books.find('orders', given.id_order);
    const state = books.find('order_states', given.id_order_state);
    if (!order || !state)
      return refuse(request, response, 85, 'Validation error: "Property OrderHistory is not valid"');
    const row = books.setState(order, state);
    const wantsMail = request.query.sendemail === '1' && state.send_email === '1';
    if (wantsMail && mailFails(response)) return refuse(request, response, 46, 'Unable to save resource', 500);
    if (wantsMail) books.mail(order, templateOf(state));
    sendRow(request, response, { status: 201, element: 'order_history', row: row as Shown });
  };
}

function templateOf({ template }: Row): string {
  return (template as { value: string }[])[0]?.value ?? '';
}

function refuse(request: Request, response: Response, code: number, message: string, status = 400): void {
  sendError(request, response, { status, code, message });
}

/** The leaves of the resource; null after a refusal. */
function fieldsIn(request: Request, response: Response, element: string): Record<string, string> | null {
  const xml = String(request.body).trim();
  const document: unknown = XMLValidator.validate(xml) === true ? parser.parse(xml) : null;
  const resource = (document as { prestashop?: Record<string, unknown> } | null)?.prestashop?.[element];
  if (typeof resource !== 'object' || resource === null) {
    refuse(request, response, 127, 'XML error : String could not be parsed as XML', 500);
    return null;
  }
  const unknown = Object.keys(resource).find((field) => !RESOURCES[plural(element)]?.fields.includes(field));
  if (unknown !== undefined) {
    refuse(request, response, 123, `parameter "${unknown}" is unknown`);
    return null;
  }
  return Object.fromEntries(Object.entries(resource).map(([name, value]) => [name, String(value)]));
}

function plural(element: string): string {
  return Object.keys(RESOURCES).find((resource) => RESOURCES[resource]?.element === element) ?? '';
}
