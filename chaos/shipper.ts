import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from './caller.ts';
import { type ClickOptions, Clicks } from './clicks.ts';
import { type Asked, outcomeOfFailure } from './told.ts';

const MAX_ROUNDS = 6;
const NO_ORDER = 2_000_000_000;

interface Details {
  success: number[];
  errors: { id: number; message: string }[];
}

/** Ships orders as a warehouse does, changes its mind, and writes down every answer. */
export class Shipper {
  readonly clicks: Clicks;
  readonly #options: ClickOptions;

  constructor(options: ClickOptions) {
    this.#options = options;
    this.clicks = new Clicks(options);
  }

  /** Books labels and transmits most. Returns the transmitted orders. */
  async ship(orderIds: readonly number[]): Promise<number[]> {
    return this.transmit(await this.book(orderIds));
  }

  /** Creates, regrets some, creates those again. Returns the orders with a label. */
  async book(orderIds: readonly number[]): Promise<number[]> {
    const { random } = this.#options;
    const hasty = orderIds.filter(() => random.chance(0.05));
    const [created] = await Promise.all([
      this.batch('create', orderIds),
      ...hasty.map((id) => this.#cancelInHaste(id)),
    ]);
    const regretted = created.filter(() => random.chance(0.08));
    for (const orderId of regretted) await this.cancel(orderId);
    const again = regretted.filter(() => random.chance(0.6));
    return [...created.filter((id) => !regretted.includes(id)), ...(await this.batch('create', again))];
  }

  /** Transmits most of the orders. Returns those that are. */
  async transmit(orderIds: readonly number[]): Promise<number[]> {
    const { random } = this.#options;
    return this.batch(
      'transmit',
      orderIds.filter(() => random.chance(0.8)),
    );
  }

  /** Asks again for what failed, as a person would. Returns the orders that succeeded. */
  async batch(asked: 'create' | 'transmit' | 'return', orderIds: readonly number[], contractId?: number) {
    const { random, book } = this.#options;
    const done = new Set<number>();
    let open = [...orderIds];
    for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
      const stranger = random.chance(0.05) ? [NO_ORDER] : [];
      const chosen = contractId === undefined ? {} : { carrierCompanyId: contractId };
      const body = [...open, ...stranger].map((orderId) => ({ orderId, ...chosen }));
      const call: Call = { method: 'POST', path: `/shipment/${asked}`, body };
      for (const answer of await this.clicks.click(call)) {
        if (answer === null) return [...done]; // the time is over
        if (answer.status !== 200) {
          this.clicks.wonder(call, answer);
          continue;
        }
        const { success, errors } = answer.body.details as Details;
        this.#tellAll(asked, { success, errors: errors.filter((error) => error.id !== NO_ORDER) });
        for (const orderId of success) done.add(orderId);
        if (
          new Set(body.map(({ orderId }) => orderId)).size !== new Set([...success, ...errors.map(({ id }) => id)]).size
        )
          book.wonder(`${asked}: not every order of a batch was mentioned`, JSON.stringify(answer.body));
      }
      open = open.filter((orderId) => !done.has(orderId));
      if (open.length > 0) await delay(random.int(500, 2500));
    }
    return [...done];
  }

  #tellAll(asked: Asked, { success, errors }: Details): void {
    const { book } = this.#options;
    for (const orderId of success) {
      book.tell({ asked, orderId, shipmentId: null, outcome: 'success', message: '' });
    }
    for (const { id, message } of errors) {
      book.tell({ asked, orderId: id, shipmentId: null, outcome: outcomeOfFailure(message), message });
    }
  }

  async #cancelInHaste(orderId: number): Promise<void> {
    await delay(this.#options.random.int(0, 1500));
    await this.cancel(orderId, 1);
  }

  async cancel(orderId: number, rounds = MAX_ROUNDS): Promise<void> {
    const { random, book } = this.#options;
    const order = await this.clicks.ask({ method: 'GET', path: `/orders/${orderId}` });
    const shipments = (order?.body?.shipments ?? []) as { id: number; direction?: string }[];
    const shipment = shipments.find(({ direction }) => direction !== 'return');
    if (!shipment) return;
    book.cancelAsked.add(orderId);
    const call: Call = { method: 'DELETE', path: `/shipment/${shipment.id}` };
    for (let round = 0; round < rounds; round++) {
      let isOver = false;
      for (const answer of await this.clicks.click(call)) {
        if (answer === null) return; // the time is over
        const isCancelled = answer.status === 200 && answer.body === true;
        isOver ||= isCancelled;
        if (!isCancelled && ![409, 424, 502, 504].includes(answer.status)) this.clicks.wonder(call, answer);
        const message = isCancelled ? '' : `${answer.status} ${answer.body?.code}: ${answer.body?.detail}`;
        // 409: another request or a job is at work on it, which says nothing of how that ends.
        const outcome = isCancelled ? 'success' : [409, 504].includes(answer.status) ? 'unknown' : 'failed';
        book.tell({ asked: 'cancel', orderId, shipmentId: shipment.id, outcome, message });
      }
      if (isOver) return;
      await delay(random.int(500, 2000));
    }
  }

  /** Puts transmitted orders of one carrier on a bordero. */
  async manifest(carrierId: number, orderIds: readonly number[]): Promise<void> {
    const { book } = this.#options;
    if (orderIds.length === 0) return;
    const call: Call = { method: 'POST', path: '/bordero', body: { carrierId, orderIds } };
    for (const answer of await this.clicks.click(call, { sameKey: true })) {
      if (answer?.status === 201) {
        const id = answer.body.manifestId as number;
        if (!book.manifests.some((known) => known.id === id)) book.manifests.push({ id, orderIds: [...orderIds] });
        this.#tellAll('bordero', { success: [...orderIds], errors: [] });
      } else if (answer?.status === 422) {
        const message = JSON.stringify(answer.body?.violations ?? answer.body?.detail).slice(0, 300);
        this.#tellAll('bordero', { success: [], errors: orderIds.map((id) => ({ id, message })) });
      } else if (answer) this.clicks.wonder(call, answer);
    }
  }

  /** Tells the order's marketplace by hand. */
  async send(orderId: number): Promise<void> {
    const { book } = this.#options;
    const call: Call = { method: 'POST', path: `/orders/${orderId}/send-to-marketplace` };
    for (const answer of await this.clicks.click(call)) {
      if (answer === null) return;
      if (answer.status !== 200) {
        this.clicks.wonder(call, answer);
        continue;
      }
      const { Result, ErrorMessage, TrackingNumber } = answer.body;
      const isTold = Result === 'OK';
      const outcome = isTold ? 'success' : outcomeOfFailure(String(ErrorMessage));
      const message = String(isTold ? TrackingNumber : ErrorMessage);
      book.tell({ asked: 'send', orderId, shipmentId: null, outcome, message });
    }
  }
}
