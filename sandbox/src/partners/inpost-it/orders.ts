import type { ShipxError } from './answers.ts';
import { type Fault, validationFailed } from './answers.ts';
import type { Peer, ShipmentOrder } from './books.ts';
import { isPoint } from './points.ts';

const TEMPLATES = new Set(['small', 'medium', 'large']);
const SENDING_METHODS = new Set(['parcel_locker', 'pok', 'pop', 'courier_pok', 'branch', 'dispatch_order']);
const SERVICE = 'inpost_locker_standard';
const ADDRESS_FIELDS = ['street', 'building_number', 'city', 'post_code', 'country_code'] as const;
const MIN_PHONE_DIGITS = 9;

type Json = Record<string, unknown>;

/** Returns the value at a path of the body; undefined when there is none. */
function at(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (here, name) => (typeof here === 'object' && here !== null ? (here as Json)[name] : undefined),
      body,
    );
}

function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  return typeof value === 'string' ? value.trim() : '';
}

/** Reads the order in a body, or says why it is refused. It checks only the fields that a locker shipment needs. */
export function readOrder(body: unknown, organization: string): ShipmentOrder | ShipxError {
  const faults = faultsOf(body);
  if (faults.length > 0) return validationFailed(faults);
  const cod = at(body, 'cod.amount');
  return {
    organization,
    reference: textAt(body, 'reference') || null,
    comments: textAt(body, 'comments'),
    receiver: peerAt(body, 'receiver'),
    sender: peerAt(body, 'sender'),
    template: textAt(body, 'parcels.template'),
    targetPoint: textAt(body, 'custom_attributes.target_point'),
    sendingMethod: textAt(body, 'custom_attributes.sending_method') || null,
    cod: typeof cod === 'number' ? { amount: cod, currency: textAt(body, 'cod.currency') } : null,
  };
}

function faultsOf(body: unknown): Fault[] {
  const faults: Fault[] = [];
  const unless = (fine: boolean, path: string, key: string): boolean => {
    if (!fine) faults.push([path, key]);
    return fine;
  };
  const present = (path: string): boolean => unless(textAt(body, path) !== '', path, 'required');

  if (present('service')) unless(textAt(body, 'service') === SERVICE, 'service', 'does_not_exist');
  if (unless(at(body, 'receiver') !== undefined, 'receiver', 'required')) {
    if (present('receiver.email')) {
      unless(/^\S+@\S+\.\S+$/.test(textAt(body, 'receiver.email')), 'receiver.email', 'invalid_format');
    }
    if (present('receiver.phone')) {
      const phone = textAt(body, 'receiver.phone');
      if (unless(/^\+?\d+$/.test(phone), 'receiver.phone', 'invalid_format')) {
        unless(phone.replace('+', '').length >= MIN_PHONE_DIGITS, 'receiver.phone', 'too_short');
      }
    }
  }
  if (unless(at(body, 'parcels') !== undefined, 'parcels', 'required') && present('parcels.template')) {
    unless(TEMPLATES.has(textAt(body, 'parcels.template')), 'parcels.template', 'does_not_exist');
  }
  if (present('custom_attributes.target_point')) {
    const point = 'custom_attributes.target_point';
    unless(isPoint(textAt(body, point)), point, 'does_not_exist');
  }
  const method = textAt(body, 'custom_attributes.sending_method');
  unless(method === '' || SENDING_METHODS.has(method), 'custom_attributes.sending_method', 'invalid_format');
  if (method === 'dispatch_order') faults.push(...addressFaults(body, 'sender.address'));
  const cod = at(body, 'cod');
  if (cod !== undefined) unless(Number(at(cod, 'amount')) > 0, 'cod.amount', 'too_small');
  return faults;
}

export function addressFaults(body: unknown, path: string): Fault[] {
  if (at(body, path) === undefined) return [[path, 'required']];
  return ADDRESS_FIELDS.filter((name) => textAt(body, `${path}.${name}`) === '').map((name) => [
    `${path}.${name}`,
    'required',
  ]);
}

function peerAt(body: unknown, path: string): Peer {
  return {
    name: textAt(body, `${path}.name`),
    company: textAt(body, `${path}.company_name`),
    email: textAt(body, `${path}.email`),
    phone: textAt(body, `${path}.phone`),
  };
}
