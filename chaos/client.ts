import { setTimeout as delay } from 'node:timers/promises';
import { buildOrder } from '../test/support/build-order.ts';
import { type Answer, type Call, Caller } from './caller.ts';
import type { Company } from './companies.ts';
import type { Random } from './random.ts';
import type { Asked, ClientBook } from './told.ts';

export interface ClientOptions {
  /** Of all clients, its own. */
  name: string;
  company: Company;
  apiUrls: readonly string[];
  random: Random;
  book: ClientBook;
  /** Epoch milliseconds after which it stops asking. */
  deadline(): number;
  /** How many more orders to make; asked before each batch. */
  take(wanted: number): number;
}

const MAX_ROUNDS = 6;
const NO_ORDER = 2_000_000_000;

/** One shop: makes orders, ships them, changes its mind, clicks twice, and writes down what it was told. */
export class Client {
  readonly #options: ClientOptions;
  readonly #caller: Caller;
  #nextOrder = 1;
  #nextKey = 1;
  #carrierId: number | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#caller = new Caller({ ...options, apiKey: options.company.apiKey });
  }

  /** Until there is nothing more to take. */
  async run(): Promise<void> {
    const { random, take, deadline } = this.#options;
    while (Date.now() < deadline()) {
      const count = take(random.int(1, 12));
      if (count === 0) return;
      const made = await Promise.all(Array.from({ length: count }, () => this.#makeOrder()));
      await this.#ship(made.filter((id) => id !== null));
    }
  }

  async #ship(orderIds: readonly number[]): Promise<void> {
    const { random } = this.#options;
    const hasty = orderIds.filter(() => random.chance(0.05));
    const [created] = await Promise.all([this.#create(orderIds), ...hasty.map((id) => this.#cancelInHaste(id))]);
    const regretted = created.filter(() => random.chance(0.08));
    for (const orderId of regretted) await this.#cancel(orderId);
    const again = regretted.filter(() => random.chance(0.6));
    const shipped = [...created.filter((id) => !regretted.includes(id)), ...(await this.#create(again))];
    const transmitted = await this.#transmit(shipped.filter(() => random.chance(0.7)));
    for (const orderId of transmitted.filter(() => random.chance(0.04))) await this.#cancel(orderId);
    await this.#manifest(transmitted.filter(() => random.chance(0.4)));
  }

  /** Null when it was never told the id. */
  async #makeOrder(): Promise<number | null> {
    const { random, book, company, name } = this.#options;
    const orderNumber = `${name}-${this.#nextOrder++}`;
    const several = random.chance(0.15);
    const lost = random.chance(0.06); // the carrier has no route to it: "GLS Check"
    const call: Call = {
      method: 'POST',
      path: '/orders',
      key: `order-${orderNumber}`,
      body: {
        ...buildOrder(lost ? { shipping: NOWHERE } : {}),
        order_number: orderNumber,
        ...(several ? { parcels: Array.from({ length: random.int(2, 3) }, () => ({ weight_kg: 1.5 })) } : {}),
      },
    };
    let id: number | null = null;
    for (const answer of await this.#click(call, { sameKey: true })) {
      if (answer?.status === 201) {
        id = answer.body.order.id as number;
        book.accept({ company: company.name, orderNumber, id });
      } else if (answer) this.#wonder(call, answer);
    }
    return id;
  }

  /** Asks again for what failed, as a person would. Answers the orders that have their label. */
  #create(orderIds: readonly number[]): Promise<number[]> {
    return this.#batch('create', '/shipment/create', orderIds);
  }

  #transmit(orderIds: readonly number[]): Promise<number[]> {
    return this.#batch('transmit', '/shipment/transmit', orderIds);
  }

  async #batch(asked: Asked, path: string, orderIds: readonly number[]): Promise<number[]> {
    const { random, book } = this.#options;
    const done = new Set<number>();
    let open = [...orderIds];
    for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
      const stranger = random.chance(0.05) ? [NO_ORDER] : [];
      const call: Call = { method: 'POST', path, body: [...open, ...stranger].map((orderId) => ({ orderId })) };
      for (const answer of await this.#click(call)) {
        if (answer === null) return [...done]; // the time is over
        if (answer.status !== 200) {
          this.#wonder(call, answer);
          continue;
        }
        const { success, errors } = answer.body.details as Details;
        for (const orderId of success) {
          done.add(orderId);
          book.tell({ asked, orderId, shipmentId: null, outcome: 'success', message: '' });
        }
        for (const { id, message } of errors.filter((error) => error.id !== NO_ORDER)) {
          book.tell({ asked, orderId: id, shipmentId: null, outcome: 'failed', message });
        }
        const missing = [...open, ...stranger].length - success.length - errors.length;
        if (missing !== 0)
          book.wonder(`${asked}: not every order of a batch was mentioned`, JSON.stringify(answer.body));
      }
      open = open.filter((orderId) => !done.has(orderId));
      if (open.length > 0) await delay(random.int(500, 2500));
    }
    return [...done];
  }

  async #cancelInHaste(orderId: number): Promise<void> {
    await delay(this.#options.random.int(0, 1500));
    await this.#cancel(orderId, 1);
  }

  async #cancel(orderId: number, rounds = MAX_ROUNDS): Promise<void> {
    const { random, book } = this.#options;
    const order = await this.#caller.ask({ method: 'GET', path: `/orders/${orderId}` });
    const [shipment] = (order?.body?.shipments ?? []) as { id: number }[];
    if (!shipment) return;
    book.cancelAsked.add(orderId);
    const call: Call = { method: 'DELETE', path: `/shipment/${shipment.id}` };
    for (let round = 0; round < rounds; round++) {
      let isOver = false;
      for (const answer of await this.#click(call)) {
        if (answer === null) return; // the time is over
        const isCancelled = answer.status === 200 && answer.body === true;
        isOver ||= isCancelled;
        if (!isCancelled && ![409, 424, 502, 504].includes(answer.status)) this.#wonder(call, answer);
        const message = isCancelled ? '' : `${answer.status} ${answer.body?.code}: ${answer.body?.detail}`;
        const outcome = isCancelled ? 'success' : 'failed';
        book.tell({ asked: 'cancel', orderId, shipmentId: shipment.id, outcome, message });
      }
      if (isOver) return;
      await delay(random.int(500, 2000));
    }
  }

  async #manifest(orderIds: readonly number[]): Promise<void> {
    const { book } = this.#options;
    if (orderIds.length === 0) return;
    const carrierId = await this.#carrier();
    if (carrierId === null) return;
    const call: Call = { method: 'POST', path: '/bordero', body: { carrierId, orderIds } };
    for (const answer of await this.#click(call, { sameKey: true })) {
      if (answer?.status === 201) {
        const id = answer.body.manifestId as number;
        if (!book.manifests.some((known) => known.id === id)) book.manifests.push({ id, orderIds: [...orderIds] });
        for (const orderId of orderIds) {
          book.tell({ asked: 'bordero', orderId, shipmentId: null, outcome: 'success', message: `bordero ${id}` });
        }
      } else if (answer?.status === 422) {
        const message = JSON.stringify(answer.body?.violations ?? answer.body?.detail).slice(0, 300);
        for (const orderId of orderIds) {
          book.tell({ asked: 'bordero', orderId, shipmentId: null, outcome: 'failed', message });
        }
      } else if (answer) this.#wonder(call, answer);
    }
  }

  async #carrier(): Promise<number | null> {
    if (this.#carrierId === undefined) {
      const answer = await this.#caller.ask({ method: 'GET', path: '/carriers/contracts' });
      this.#carrierId = answer?.body?.[0]?.carrier?.id as number | undefined;
    }
    return this.#carrierId ?? null;
  }

  /** Once or twice, at the same moment or later, with a key of its own, the same key, or none. */
  async #click(call: Call, { sameKey = false } = {}): Promise<(Answer | null)[]> {
    const { random } = this.#options;
    const prefer = random.weighted({ '': 5, 'respond-async': 3, 'wait=1': 2 }) || undefined;
    const keyed = (): Call => ({
      ...call,
      prefer,
      key: call.key ?? (random.chance(0.6) ? this.#freshKey() : undefined),
    });
    const first = sameKey && !call.key ? { ...call, prefer, key: this.#freshKey() } : keyed();
    if (!random.chance(0.3)) return [await this.#caller.askAndFollow(first)];
    const second = sameKey || random.chance(0.5) ? first : keyed();
    const pause = random.chance(0.5) ? 0 : random.int(50, 3000);
    return Promise.all([this.#caller.askAndFollow(first), delay(pause).then(() => this.#caller.askAndFollow(second))]);
  }

  #freshKey(): string {
    return `${this.#options.name}-key-${this.#nextKey++}`;
  }

  #wonder(call: Call, answer: Answer): void {
    const path = call.path.replace(/\d+/g, '{id}');
    this.#options.book.wonder(
      `${answer.status} to ${call.method} ${path}`,
      JSON.stringify({ asked: call.body ?? null, answered: answer.body }),
    );
  }
}

interface Details {
  success: number[];
  errors: { id: number; message: string }[];
}

const NOWHERE = {
  full_name: 'Chiara Prova',
  address: 'Via Torino, 5',
  city: 'Milano',
  province: 'MI',
  zip: '00000',
  country_code: 'IT',
};
