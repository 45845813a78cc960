import { buildOrder } from '../test/support/build-order.ts';
import type { Call } from './caller.ts';
import type { ClickOptions } from './clicks.ts';
import { Corrector } from './corrector.ts';
import { Shipper } from './shipper.ts';

export interface ClientOptions extends ClickOptions {
  /** How many more orders to make; asked before each batch. */
  take(wanted: number): number;
  /** Corrections per order, on average. */
  edits: number;
  /** Whether new work is still begun. */
  isOpen(): boolean;
}

const RETURN_CARRIERS = ['ups', 'fedex'] as const;
/** How often each carrier gets an order: GLS has the most to say, and Poste leaves every lost answer to the desk. */
const CARRIERS = { 'gls-it': 4, brt: 3, ups: 2, fedex: 2, 'dhl-express': 2, 'inpost-it': 2, 'poste-it': 2 };

/** Corrections and cancellations come this long after the labels are asked for, so that they meet. */
const BESIDE_MS = 2500;

/** One company's own order system: makes orders, ships them, changes its mind, and writes down what it was told. */
export class Client {
  readonly #options: ClientOptions;
  readonly #shipper: Shipper;
  readonly #corrector: Corrector;
  readonly #carrierOf = new Map<number, string>();
  #nextOrder = 1;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#shipper = new Shipper(options);
    this.#corrector = new Corrector(options);
  }

  /** Until there is nothing more to take. */
  async run(): Promise<void> {
    const { random, take, deadline } = this.#options;
    while (Date.now() < deadline()) {
      const count = take(random.int(1, 12));
      if (count === 0) return;
      const made = await Promise.all(Array.from({ length: count }, () => this.#makeOrder()));
      await this.#work(made.filter((id) => id !== null));
    }
  }

  async #work(orderIds: readonly number[]): Promise<void> {
    const { random, company, edits } = this.#options;
    await this.#corrector.split(orderIds.filter(() => random.chance(0.06)));
    // A locker's address cannot be corrected, only the locker.
    const correctable = orderIds.filter((id) => this.#carrierOf.get(id) !== 'inpost-it');
    const regretted = orderIds.filter(() => random.chance(0.05));
    const [booked, reopened] = await Promise.all([
      this.#shipper.book(orderIds),
      this.#corrector.cancel(regretted, BESIDE_MS),
      this.#corrector.correct(correctable, { edits: edits * 0.8, pauseMs: BESIDE_MS }),
    ]);
    const [shipped] = await Promise.all([
      this.#shipper.transmit(booked),
      this.#corrector.correct(correctable, { edits: edits * 0.2, pauseMs: BESIDE_MS }),
    ]);
    const transmitted = [...shipped, ...(await this.#shipper.ship(reopened))];
    for (const orderId of transmitted.filter(() => random.chance(0.04))) await this.#shipper.cancel(orderId);
    const returned = transmitted.filter(() => random.chance(0.1));
    if (returned.length > 0) {
      await this.#shipper.batch('return', returned, company.contracts[random.pick(RETURN_CARRIERS)]);
    }
    const listed = transmitted.filter((id) => !returned.includes(id) && random.chance(0.4));
    for (const [carrier, own] of Map.groupBy(listed, (id) => this.#carrierOf.get(id) ?? '')) {
      await this.#shipper.manifest(company.carrierIds[carrier] ?? 0, own);
    }
  }

  /** Null when it was never told the id. */
  async #makeOrder(): Promise<number | null> {
    const { random, book, company, name } = this.#options;
    const orderNumber = `${name}-${this.#nextOrder++}`;
    const carrier = random.weighted(CARRIERS);
    const toLocker = carrier === 'inpost-it';
    const several = !toLocker && random.chance(0.15);
    const word = random.weighted({ '': 8, ' GIACENZA': 2, ' ASSENTE': 1, ' RIFIUTA': 1 });
    const lost = random.chance(0.05); // the carrier has no route to it
    const call: Call = {
      method: 'POST',
      path: '/orders',
      key: `order-${orderNumber}`,
      body: {
        ...buildOrder({ shipping: { ...HOME, address: `Via Torino 5${word}`, zip: lost ? '00000' : '20123' } }),
        order_number: orderNumber,
        carrier_company_id: company.contracts[carrier],
        ...(toLocker ? { pickup_point_id: lost ? 'ITMIL00999M' : 'ITMIL00101M' } : {}),
        ...(several ? { parcels: Array.from({ length: random.int(2, 3) }, () => PARCEL) } : { parcels: [PARCEL] }),
      },
    };
    let id: number | null = null;
    for (const answer of await this.#shipper.clicks.click(call, { sameKey: true })) {
      if (answer?.status === 201) {
        id = answer.body.order.id as number;
        this.#carrierOf.set(id, carrier);
        book.accept({ company: company.name, orderNumber, id });
      } else if (answer) this.#shipper.clicks.wonder(call, answer);
    }
    return id;
  }
}

const PARCEL = { weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 };

const HOME = {
  full_name: 'Chiara Prova',
  city: 'Milano',
  province: 'MI',
  country_code: 'IT',
  phone: '3330000001',
};
