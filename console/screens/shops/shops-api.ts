import { useQuery } from '@tanstack/react-query';
import { api, body, type Schema } from '../../api/client.ts';
import { persist } from '../../api/persist.ts';

export type Shop = Schema['ShopState'];
export type Failure = Schema['ImportFailure'];
export type Confirmation = Schema['Confirmation'];
export type State = Confirmation['state'];

/** A question of a person to a shop. */
export type Question =
  | { kind: 'verify'; shop: Shop }
  | { kind: 'import'; shop: Shop }
  | { kind: 'read'; shop: Shop; failure: Failure }
  | { kind: 'send'; shop: Shop; row: Confirmation };

/** An answer of a shop, and the request that led to it. */
export type Answer = { requestId: string } & (
  | { kind: 'verify'; question: Question; result: Schema['ConnectionCheck'] }
  | { kind: 'import' | 'read'; question: Question; result: Schema['ImportRun'] }
  | { kind: 'send'; question: Question; result: Schema['SendToMarketplaceResult'] }
);

/** Imports and their failures come without an event of the company. */
export const AGAIN_MS = 30_000;
export const PAGE = 50;
const PAUSE_MS = 2000;

const readShops = () => body(api.GET('/api/v1/external/marketplace/state'));

export function useShops() {
  return useQuery({ queryKey: ['list', 'shops'], queryFn: readShops, refetchInterval: AGAIN_MS });
}

/** Returns the question with its shop, failure or order as they are now. Null where they are gone. */
export function usePlan(question: Question) {
  return useQuery({
    queryKey: ['list', 'shops', 'plan', question.kind],
    queryFn: () => readPlan(question),
    staleTime: 0,
    gcTime: 0,
  });
}

async function readPlan(question: Question): Promise<Question | null> {
  const id = question.shop.connectionId;
  const shop = (await readShops()).find(({ connectionId }) => connectionId === id);
  if (!shop) return null;
  if (question.kind === 'read') {
    const failure = (await readFailures(id, question.failure.id + 1, 1))[0];
    return failure?.id === question.failure.id ? { ...question, shop, failure } : null;
  }
  if (question.kind === 'send') {
    const row = (await readConfirmations(id, { state: null, cursor: question.row.orderId + 1, limit: 1 }))[0];
    return row?.orderId === question.row.orderId ? { ...question, shop, row } : null;
  }
  return { ...question, shop };
}

export function readFailures(id: number, cursor: number | null, limit: number): Promise<Failure[]> {
  const query = { limit, ...(cursor === null ? {} : { cursor }) };
  return body(
    api.GET('/api/v1/external/marketplace/connected/{id}/import-failures', { params: { path: { id }, query } }),
  );
}

export function readConfirmations(
  id: number,
  { state, cursor, limit }: { state: State | null; cursor: number | null; limit: number },
): Promise<Confirmation[]> {
  const query = { limit, ...(state === null ? {} : { state }), ...(cursor === null ? {} : { cursor }) };
  return body(
    api.GET('/api/v1/external/marketplace/connected/{id}/confirmations', { params: { path: { id }, query } }),
  );
}

/** Asks the shop, and waits until it has answered. The same key again gets the first answer. */
export async function ask(question: Question, key: string): Promise<Answer> {
  const { connectionId: id } = question.shop;
  const header = { 'Idempotency-Key': key };
  const byShop = { params: { path: { id }, header } };
  switch (question.kind) {
    case 'verify': {
      const sent = await persist(() => api.POST('/api/v1/external/marketplace/connected/{id}/verify', byShop));
      return { kind: 'verify', question, ...(await settled<Schema['ConnectionCheck']>(sent)) };
    }
    case 'send': {
      const params = { path: { id: question.row.orderId }, header };
      const sent = await persist(() => api.POST('/api/v1/external/orders/{id}/send-to-marketplace', { params }));
      return { kind: 'send', question, ...(await settled<Schema['SendToMarketplaceResult']>(sent)) };
    }
    default: {
      const marketplaceOrderId = question.kind === 'read' ? question.failure.marketplaceOrderId : null;
      const sent = await persist(() =>
        api.POST('/api/v1/external/marketplace/connected/{id}/import', { ...byShop, body: { marketplaceOrderId } }),
      );
      return { kind: question.kind, question, ...(await settled<Schema['ImportRun']>(sent)) };
    }
  }
}

/** Follows a request that answered 202. A long import may take many rounds. */
async function settled<Result>(sent: {
  data?: unknown;
  response: Response;
}): Promise<{ result: Result; requestId: string }> {
  const requestId = sent.response.headers.get('X-Request-Id') ?? '';
  let { data, response } = sent;
  const params = { path: { id: Number(response.headers.get('Location')?.split('/').at(-1)) } };
  while (response.status === 202) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    ({ data, response } = await persist(() => api.GET('/api/v1/external/operations/{id}', { params })));
  }
  return { result: data as Result, requestId };
}
