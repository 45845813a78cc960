import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Call } from './caller.ts';
import { type ClickOptions, Clicks } from './clicks.ts';

/** Statuses of a refusal: what was asked for did not happen and does not happen later. */
const REFUSED = new Set([409, 412, 422, 424]);
const isRefusal = ({ status, mayHaveRun }: Answer): boolean => REFUSED.has(status) && !mayHaveRun;
/** Statuses of an answer about an order that changes. 502 and 504 leave the outcome open. */
const EXPECTED = new Set([200, ...REFUSED, 502, 504]);

export interface CorrectorOptions extends ClickOptions {
  /** Whether new work is still begun. */
  isOpen(): boolean;
}

/** One person who changes orders while another ships them: corrects addresses, cancels, reopens and splits. */
export class Corrector {
  readonly #options: CorrectorOptions;
  readonly #clicks: Clicks;
  #nextStreet = 1;

  constructor(options: CorrectorOptions) {
    this.#options = options;
    this.#clicks = new Clicks({ ...options, name: `${options.name}-corrector` });
  }

  /** Corrects the addresses of orders, each several times on average, while they are being shipped or after. */
  async correct(orderIds: readonly number[], { edits, pauseMs }: { edits: number; pauseMs: number }): Promise<void> {
    const { random } = this.#options;
    const drawn = orderIds.map((orderId) => ({ orderId, count: random.about(edits) }));
    for (const { orderId, count } of drawn.filter((one) => one.count > 0)) {
      await delay(random.int(0, pauseMs));
      for (let edit = 0; edit < count && this.#options.isOpen(); edit++) await this.#correctOnce(orderId);
    }
  }

  async #correctOnce(orderId: number): Promise<void> {
    const { book, name } = this.#options;
    // Every street is written once only, so that a label shows which correction it has seen.
    const street = `Via Corretta ${this.#nextStreet++} ${name.slice(-3)}`;
    const edit = { street, outcome: 'refused' as 'done' | 'refused' | 'unknown' };
    book.edits.set(orderId, [...(book.edits.get(orderId) ?? []), edit]);
    const body = { shipping: { address: street } };
    const answers = await this.#ask({ method: 'PATCH', path: `/orders/${orderId}?rebook=true`, body });
    if (answers.some((answer) => answer === null || !isRefusal(answer))) edit.outcome = 'unknown';
    if (answers.some((answer) => answer?.status === 200)) edit.outcome = 'done';
  }

  /** Cancels orders while their labels are being bought, and reopens some. Returns the reopened ones. */
  async cancel(orderIds: readonly number[], pauseMs: number): Promise<number[]> {
    const { random, book } = this.#options;
    const reopened: number[] = [];
    for (const orderId of orderIds) {
      await delay(random.int(0, pauseMs));
      book.cancelAsked.add(orderId);
      const cancelled = await this.#tell('cancel-order', orderId, { reason: 'ripensamento' });
      if (!cancelled || !random.chance(0.5)) continue;
      if (await this.#tell('reopen', orderId)) reopened.push(orderId);
    }
    return reopened;
  }

  async #tell(asked: 'cancel-order' | 'reopen', orderId: number, body?: unknown): Promise<boolean> {
    const { book } = this.#options;
    const verb = asked === 'reopen' ? 'reopen' : 'cancel';
    const answers = await this.#ask({ method: 'POST', path: `/orders/${orderId}/${verb}`, body });
    for (const answer of answers) {
      if (answer === null) continue; // the time is over
      const outcome = answer.status === 200 ? 'success' : isRefusal(answer) ? 'failed' : 'unknown';
      const message = outcome === 'success' ? '' : `${answer.status} ${answer.body?.code}`;
      book.tell({ asked, orderId, shipmentId: null, outcome, message });
    }
    return answers.some((answer) => answer?.status === 200);
  }

  /** Splits one piece off each order that has more than one. */
  async split(orderIds: readonly number[]): Promise<void> {
    for (const orderId of orderIds) {
      const order = await this.#clicks.ask({ method: 'GET', path: `/orders/${orderId}` });
      const line = order?.body?.orderItems?.[0] as { id: number; quantity: number } | undefined;
      if (!line || line.quantity < 2) continue;
      const parts = [{ lines: [{ itemId: line.id, quantity: 1 }] }];
      await this.#ask({ method: 'POST', path: `/orders/${orderId}/split`, body: { parts } });
    }
  }

  async #ask(call: Call): Promise<(Answer | null)[]> {
    const answers = await this.#clicks.click(call);
    for (const answer of answers) if (answer && !EXPECTED.has(answer.status)) this.#clicks.wonder(call, answer);
    return answers;
  }
}
