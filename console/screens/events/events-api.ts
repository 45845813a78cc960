import { useQuery } from '@tanstack/react-query';
import { api, body, type Schema } from '../../api/client.ts';
import { persist } from '../../api/persist.ts';

export type Endpoint = Schema['EventEndpoint'];
export type Delivery = Schema['EventDelivery'];
export type EventType = Delivery['type'];

export const TYPES = [
  'order.created',
  'order.status_changed',
  'order.corrected',
  'order.cancelled',
  'order.split',
  'order.joined',
  'order.sent_to_marketplace',
  'order.marketplace_failed',
  'shipment.status_changed',
  'shipment.held',
  'shipment.released',
  'tracking.status_changed',
  'manifest.created',
  'manifest.deleted',
] as const satisfies readonly EventType[];

/** A change of an endpoint that a person asks for. */
export type Wish =
  | { kind: 'create' }
  | { kind: 'change' | 'test' | 'enable' | 'disable' | 'rotate' | 'replay' | 'delete'; endpoint: Endpoint };

/** The values of the dialog. */
export interface Values {
  url: string;
  /** Null: all of them. */
  types: EventType[] | null;
  after: number | null;
  from: number;
  to: number | null;
}

/** The result of a change, and its request. */
export interface Outcome {
  kind: Wish['kind'];
  requestId: string;
  /** Null: the endpoint was deleted. */
  endpoint: Endpoint | null;
  /** Shown this once. Null: there is no new one, or the answer that had it was lost. */
  secret: string | null;
  test: Schema['EventEndpointTest'] | null;
}

/** No event of the company tells how its deliveries go. */
export const AGAIN_MS = 10_000;
export const PAGE = 50;
const PAUSE_MS = 2000;

const readEndpoints = () => body(api.GET('/api/v1/external/event-endpoints'));

export function useEndpoints() {
  return useQuery({ queryKey: ['list', 'endpoints'], queryFn: readEndpoints, refetchInterval: AGAIN_MS });
}

/** Returns the endpoint as it is now, null where it is gone. A new one is not asked for. */
export function usePlan(wish: Wish) {
  return useQuery({
    queryKey: ['list', 'endpoints', 'plan', wish.kind],
    ...(wish.kind === 'create' ? { initialData: wish, enabled: false } : {}),
    queryFn: async () => {
      if (wish.kind === 'create') return wish;
      const endpoint = (await readEndpoints()).find(({ id }) => id === wish.endpoint.id);
      return endpoint ? { ...wish, endpoint } : null;
    },
    staleTime: 0,
    gcTime: 0,
  });
}

export function readDeliveries(id: number, cursor: number | null): Promise<Delivery[]> {
  const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  return body(api.GET('/api/v1/external/event-endpoints/{id}/deliveries', { params: { path: { id }, query } }));
}

/** Reads what was sent. Null: the event is kept no longer. */
export async function readEvent(sequence: number): Promise<Schema['Event'] | null> {
  const query = { after: sequence - 1, limit: 1 };
  const [event] = await body(api.GET('/api/v1/external/events', { params: { query } }));
  return event?.data.sequence === sequence ? event : null;
}

/** Carries out a wish. The same key again gets the first answer, without its secret. */
export async function carryOut(wish: Wish, values: Values, key: string): Promise<Outcome> {
  const header = { 'Idempotency-Key': key };
  const { url, types, after, from, to } = values;
  if (wish.kind === 'create') {
    return outcomeOf(
      wish.kind,
      await persist(() => api.POST('/api/v1/external/event-endpoints', { params: { header }, body: { url, types } })),
    );
  }
  const params = { path: { id: wish.endpoint.id }, header };
  switch (wish.kind) {
    case 'change':
      return outcomeOf(
        wish.kind,
        await persist(() => api.PATCH('/api/v1/external/event-endpoints/{id}', { params, body: { url, types } })),
      );
    case 'enable':
      return outcomeOf(
        wish.kind,
        await persist(() => api.POST('/api/v1/external/event-endpoints/{id}/enable', { params, body: { after } })),
      );
    case 'disable':
      return outcomeOf(
        wish.kind,
        await persist(() => api.POST('/api/v1/external/event-endpoints/{id}/disable', { params })),
      );
    case 'rotate':
      return outcomeOf(
        wish.kind,
        await persist(() => api.POST('/api/v1/external/event-endpoints/{id}/rotate-secret', { params })),
      );
    case 'replay':
      return outcomeOf(
        wish.kind,
        await persist(() => api.POST('/api/v1/external/event-endpoints/{id}/replay', { params, body: { from, to } })),
      );
    case 'delete': {
      const { response } = await persist(() => api.DELETE('/api/v1/external/event-endpoints/{id}', { params }));
      return { kind: wish.kind, requestId: requestIdOf(response), endpoint: null, secret: null, test: null };
    }
    case 'test': {
      const sent = await persist(() => api.POST('/api/v1/external/event-endpoints/{id}/test', { params }));
      const test = await settled(sent);
      const requestId = requestIdOf(sent.response);
      return { kind: wish.kind, requestId, endpoint: wish.endpoint, secret: null, test };
    }
  }
}

function outcomeOf(
  kind: Wish['kind'],
  { data, response }: { data?: (Endpoint & { secret?: string | null }) | undefined; response: Response },
): Outcome {
  return { kind, requestId: requestIdOf(response), endpoint: data ?? null, secret: data?.secret ?? null, test: null };
}

function requestIdOf(response: Response): string {
  return response.headers.get('X-Request-Id') ?? '';
}

/** Follows a test whose receiver had not answered yet. */
async function settled(sent: { data?: unknown; response: Response }): Promise<Schema['EventEndpointTest']> {
  let { data, response } = sent;
  const params = { path: { id: Number(response.headers.get('Location')?.split('/').at(-1)) } };
  while (response.status === 202) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    ({ data, response } = await persist(() => api.GET('/api/v1/external/operations/{id}', { params })));
  }
  return data as Schema['EventEndpointTest'];
}
