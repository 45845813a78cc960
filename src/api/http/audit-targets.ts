/** Nouns by the segment of a path that names them. */
const BY_SEGMENT: ReadonlyMap<string, string> = new Map([
  ['orders', 'order'],
  ['shipment', 'shipment'],
  ['shipments', 'shipment'],
  ['attention', 'shipment'],
  ['bordero', 'manifest'],
  ['pickups', 'pickup'],
  ['operations', 'operation'],
  ['connected', 'connection'],
  ['event-endpoints', 'event-endpoint'],
  ['keys', 'key'],
  ['users', 'user'],
]);

/** Nouns by the field that holds an id, or several. */
const BY_FIELD: ReadonlyMap<string, string> = new Map([
  ['orderId', 'order'],
  ['orderIds', 'order'],
  ['erased', 'order'],
  ['shipmentId', 'shipment'],
  ['shipmentIds', 'shipment'],
  ['manifestId', 'manifest'],
  ['operationId', 'operation'],
]);

/** Nouns by the field that holds one of them, or several, with their `id`. The ids of `success` and `errors` are orders. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['order', 'order'],
  ['success', 'order'],
  ['errors', 'order'],
  ['shipments', 'shipment'],
  ['details', ''],
  ['results', ''],
]);

/** Returns the ids that a request names in its path and its body, such as `order:12`. */
export function askedTargets(path: string, { params, body }: { params: unknown; body: unknown }): string[] {
  const noun = nounOf(path);
  const own = Object.entries((params ?? {}) as Record<string, unknown>).flatMap(([name, id]) =>
    target(BY_FIELD.get(name) ?? (name === 'id' ? noun : ''), id),
  );
  // A new order has an `id` of its shop at most, so only fields that name the noun count.
  const rows = Array.isArray(body) ? body : [body];
  return [...own, ...rows.flatMap((row) => targetsIn(row, ''))];
}

/** Returns the ids that an answer names. `location`: the path of what was made. */
export function answeredTargets(path: string, answer: unknown, location: string): string[] {
  const [, operation] = /\/operations\/(\d+)$/.exec(location) ?? [];
  return [...targetsIn(answer, nounOf(path)), ...target('operation', Number(operation))];
}

function nounOf(path: string): string {
  return BY_SEGMENT.get(path.split('/').findLast((segment) => BY_SEGMENT.has(segment)) ?? '') ?? '';
}

function targetsIn(value: unknown, noun: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => targetsIn(one, noun));
  if (typeof value !== 'object' || value === null) return target(noun, value);
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (name === 'id') return target(noun, inner);
    const named = BY_FIELD.get(name);
    if (named !== undefined) return [inner].flat().flatMap((id) => target(named, id));
    const inside = INSIDE.get(name);
    return inside !== undefined && typeof inner === 'object' ? targetsIn(inner, inside) : [];
  });
}

function target(noun: string, id: unknown): string[] {
  return noun !== '' && Number.isInteger(id) && (id as number) > 0 ? [`${noun}:${id}`] : [];
}
