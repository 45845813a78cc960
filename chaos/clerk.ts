import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Call } from './caller.ts';
import { type ClickOptions, Clicks } from './clicks.ts';
import { outcomeOfFailure } from './told.ts';

export interface ClerkOptions extends ClickOptions {
  isOpen(): boolean;
  pauseMs: { min: number; max: number };
}

const PICKUP_CARRIERS = ['ups', 'dhl-express', 'poste-it', 'inpost-it'] as const;
const DAY_MS = 86_400_000;
/** Poste limits how far ahead a courier is booked. The pretend carriers ignore weekdays. */
const FIRST_DAYS = 2;

interface HeldParcel {
  shipmentId: number;
  orderId: number;
  allowedActions: { action: string; via: string }[] | null;
}

const SIMPLE_ACTIONS = ['REDISPATCH_SAME_ADDRESS', 'RETURN_TO_SENDER'];

/** One per company: books couriers, sends some of them away again, and decides about parcels in giacenza. */
export class Clerk {
  readonly #options: ClerkOptions;
  readonly #clicks: Clicks;
  #days = FIRST_DAYS;

  constructor(options: ClerkOptions) {
    this.#options = options;
    this.#clicks = new Clicks(options);
  }

  async run(): Promise<void> {
    const { random, isOpen, pauseMs, deadline } = this.#options;
    while (isOpen() && Date.now() < deadline()) {
      await delay(random.int(pauseMs.min, pauseMs.max));
      if (!isOpen()) return;
      await (random.chance(0.5) ? this.#pickup() : this.#decide());
    }
  }

  async #pickup(): Promise<void> {
    const { random, company } = this.#options;
    const carrier = random.pick(PICKUP_CARRIERS);
    const date = new Date(Date.now() + this.#days++ * DAY_MS).toISOString().slice(0, 10);
    const body = { carrierCompanyId: company.contracts[carrier], date, from: '14:00', to: '18:00' };
    const call: Call = { method: 'POST', path: '/pickups', body };
    const answers = await this.#clicks.click(call, { sameKey: true });
    for (const answer of answers) this.#note('book', call, answer);
    const booked = answers.find((answer) => answer?.status === 200 && answer.body.status === 'booked');
    if (!booked || carrier === 'poste-it' || !random.chance(0.5)) return;
    const cancel: Call = { method: 'DELETE', path: `/pickups/${booked.body.id}` };
    // Once: a second click after an unknown outcome would say that the person has asked the carrier.
    this.#note('cancel', cancel, await this.#clicks.once(cancel), booked.body.id);
  }

  #note(asked: 'book' | 'cancel', call: Call, answer: Answer | null, knownId?: number): void {
    const { book } = this.#options;
    if (answer?.status === 200) book.pickups.set(answer.body.id, { asked, status: answer.body.status });
    else if (answer && knownId !== undefined) book.pickups.set(knownId, { asked, status: `refused ${answer.status}` });
    if (answer && ![200, 422, 424, 502, 504].includes(answer.status)) this.#clicks.wonder(call, answer);
  }

  async #decide(): Promise<void> {
    const { random } = this.#options;
    const answer = await this.#clicks.ask({ method: 'GET', path: '/shipments/held?status=open&limit=20' });
    const able = ((answer?.body ?? []) as HeldParcel[]).filter(({ allowedActions }) =>
      allowedActions?.some(({ action, via }) => via === 'api' && SIMPLE_ACTIONS.includes(action)),
    );
    if (able.length > 0) await this.#release(random.pick(able));
  }

  async #release({ shipmentId, orderId }: HeldParcel): Promise<void> {
    const { random, book } = this.#options;
    const call: Call = {
      method: 'POST',
      path: `/shipment/${shipmentId}/release-held`,
      body: { action: random.pick(SIMPLE_ACTIONS) },
    };
    for (const answer of await this.#clicks.click(call)) {
      if (answer === null) return;
      if (answer.status !== 200) {
        this.#clicks.wonder(call, answer);
        continue;
      }
      const { success, blockingError, items } = answer.body;
      if (blockingError !== null) continue; // not passed on to the carrier
      const message = String(items[0]?.message ?? '');
      const outcome = success ? 'success' : outcomeOfFailure(message);
      book.tell({ asked: 'release', orderId, shipmentId, outcome, message });
    }
  }
}
