import { setTimeout as delay } from 'node:timers/promises';
import type { ClickOptions } from './clicks.ts';
import type { ConnectedShop } from './companies.ts';
import { Shipper } from './shipper.ts';
import { hintOf, placeOrder } from './shops.ts';
import type { PlacedOrder } from './told.ts';

export interface ShopClientOptions extends ClickOptions {
  shop: ConnectedShop;
  sandboxUrl: string;
  take(wanted: number): number;
  /** Whether new work is still begun. */
  isOpen(): boolean;
}

const POLL_MS = 2000;
/** Shops know no lockers, so InPost takes none of these. */
const CARRIERS = ['gls-it', 'brt', 'ups', 'fedex', 'dhl-express', 'poste-it'] as const;

/** One shop and its warehouse: customers buy, orders are imported, shipped, and the shop is told; by hand where it is not told by itself. */
export class ShopClient {
  readonly #options: ShopClientOptions;
  readonly #shipper: Shipper;

  constructor(options: ShopClientOptions) {
    this.#options = options;
    this.#shipper = new Shipper(options);
  }

  async run(): Promise<void> {
    const { random, deadline, isOpen, take } = this.#options;
    let waiting: PlacedOrder[] = [];
    const work: Promise<void>[] = [];
    while (Date.now() < deadline()) {
      const count = isOpen() ? take(random.int(0, 3)) : 0;
      for (let left = count; left > 0; left--) waiting.push(...(await this.#buy()));
      const imported = new Map<PlacedOrder, number>();
      for (const order of waiting) {
        const id = await this.#find(order);
        if (id !== null) imported.set(order, id);
      }
      waiting = waiting.filter((order) => !imported.has(order));
      // Orders that arrive after the storm are counted by the judge, and not shipped any more.
      if (imported.size > 0 && isOpen()) work.push(this.#work([...imported.values()]));
      if (!isOpen()) break;
      await delay(POLL_MS);
    }
    await Promise.all(work);
  }

  async #work(orderIds: readonly number[]): Promise<void> {
    const { random, company, shop } = this.#options;
    const contractId = company.contracts[random.pick(CARRIERS)];
    const created = await this.#shipper.batch('create', orderIds, contractId);
    // Told too early, by a person in a hurry: a rebooked label then replaces a number that the shop has.
    const early = shop.isAutomatic ? [] : created.filter(() => random.chance(0.3));
    for (const orderId of early) await this.#shipper.send(orderId);
    const transmitted = await this.#shipper.batch('transmit', created);
    const regretted = transmitted.filter(() => random.chance(0.25));
    for (const orderId of regretted) await this.#shipper.cancel(orderId);
    const again = regretted.filter(() => random.chance(0.7));
    const rebooked = await this.#shipper.batch('create', again, company.contracts[random.pick(CARRIERS)]);
    const last = await this.#shipper.batch('transmit', rebooked);
    if (shop.isAutomatic) return;
    const toTell = [...transmitted.filter((id) => !regretted.includes(id)), ...last];
    for (const orderId of toTell.filter(() => random.chance(0.9))) await this.#shipper.send(orderId);
  }

  async #buy(): Promise<PlacedOrder[]> {
    const { random, shop, sandboxUrl, book, apiUrls } = this.#options;
    const { marketplace, id: connectionId } = shop;
    const street = random.chance(0.15) ? 'Via Po 1 GIACENZA' : 'Via Po 1';
    const externalId = await placeOrder(sandboxUrl, { marketplace, street });
    if (externalId === null) return [];
    const placed = { marketplace, connectionId, externalId };
    book.placed.push(placed);
    const hint = hintOf(marketplace, externalId);
    if (hint && random.chance(0.8)) {
      const url = `${random.pick(apiUrls)}/webhooks/${connectionId}`;
      // Lost or said twice: it is only a hint.
      const times = random.int(1, 2);
      for (let left = times; left > 0; left--) await fetch(url, { method: 'POST', ...hint }).catch(() => undefined);
    }
    return [placed];
  }

  async #find({ externalId, connectionId }: PlacedOrder): Promise<number | null> {
    const { book, company } = this.#options;
    const path = `/orders?marketplaceOrderId=${encodeURIComponent(externalId)}`;
    const answer = await this.#shipper.clicks.ask({ method: 'GET', path });
    const [order] = (answer?.body ?? []) as { id: number; orderNumber: string }[];
    if (!order) return null;
    book.accept({ company: company.name, orderNumber: `${connectionId}/${externalId}`, id: order.id });
    return order.id;
  }
}
