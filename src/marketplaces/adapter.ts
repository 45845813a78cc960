import type { z } from 'zod';
import type { PartnerContext } from '../lib/call-partner.ts';

export type MarketplaceContext<Account> = PartnerContext<Account>;

export interface ImportedLine {
  /** The marketplace's id of the line, needed to ship it. */
  externalLineId: string;
  sku: string;
  title: string;
  quantity: number;
  /** Decimal strings per piece and per line, in the order's currency, as the marketplace counted them. */
  unitPriceGross: string;
  totalGross: string;
  totalNet: string;
}

export interface ImportedAddress {
  fullName: string;
  company: string;
  phone: string;
  address: string;
  address2: string;
  city: string;
  province: string;
  zip: string;
  countryCode: string;
}

/**
 * One order as the marketplace has it. A missing field is an empty string, and a sentence in `problems` where it
 * matters. The Italian province is as the marketplace wrote it: the import finds its two letters.
 */
export interface ImportedOrder {
  externalId: string;
  externalNumber: string;
  /** `open`: ship it; `held`: wait (unpaid, on hold); `cancelled`; `shipped`: nothing left to do. */
  state: 'open' | 'held' | 'cancelled' | 'shipped';
  currency: string;
  createdAt: Date;
  modifiedAt: Date;
  customer: { fullName: string; email: string; phone: string };
  billing: ImportedAddress & { vatNumber: string; taxCode: string };
  shipping: ImportedAddress;
  lines: ImportedLine[];
  shippingGross: string;
  totalGross: string;
  totalNet: string;
  paymentMethod: string;
  /** True when the courier collects the money. */
  cashOnDelivery: boolean;
  note: string;
  /** False: its status is outside those that the account imports, so it is followed but not created. Absent: true. */
  mayCreate?: boolean;
  /** False: the platform says that all of it is digital, and no parcel is needed. Absent: true. */
  needsShipping?: boolean;
  /** Why the order cannot be shipped as it is, in plain words. */
  problems: string[];
}

export interface OrderPage {
  orders: ImportedOrder[];
  /** Listed orders that cannot be read. They are read again on their own and stop no others. See `importEach`. */
  unreadable: UnreadableOrder[];
  /** Opaque, valid inside one run only; null on the last page. */
  next: string | null;
}

export interface UnreadableOrder {
  externalId: string;
  reason: string;
}

export interface OrderWindow {
  modifiedAfter: Date;
  modifiedBefore: Date;
  page: string | null;
}

/** A call of the marketplace to us, as it came. */
export interface WebhookDelivery {
  /** Names in small letters. */
  headers: Readonly<Record<string, string>>;
  /** The bytes that were signed. */
  body: Buffer;
}

/** A genuine delivery is a reason to read that order now, and never data. */
export interface WebhookHint {
  /** The same for every repeat of the delivery. */
  deliveryId: string;
  /** Null: genuine, and about no order, such as a ping. */
  externalOrderId: string | null;
}

export interface Webhook<Account> {
  /**
   * Null when the signature is not the marketplace's. The sender waits for the answer, so this seldom calls
   * anything.
   */
  read(context: MarketplaceContext<Account>, delivery: WebhookDelivery): Promise<WebhookHint | null>;
  /** Answers the platform's check that the address is ours; null for any other request. */
  challenge?(account: Account, asked: { query: Readonly<Record<string, string>>; url: string }): object | null;
}

/** One or more boxes under one tracking number. */
export interface TrackedParcel {
  /** Empty: everything on the order. */
  lines: { externalLineId: string; quantity: number }[];
  trackingNumber: string;
  /** Our carrier id, such as `gls-it`, and its name. */
  carrierId: string;
  carrierName: string;
  trackingUrl: string;
  /** YYYY-MM-DD. */
  shippedOn: string;
}

/** One shipment that the marketplace is to know. */
export interface ShipmentConfirmation extends TrackedParcel {
  externalOrderId: string;
  /**
   * Numbers of cancelled labels that the marketplace was told before. The shipment under one of them is corrected,
   * or the live number added beside it. `told_another_number` where the platform takes neither. Absent: none.
   */
  replacedNumbers?: readonly string[];
  /** Only where the platform hears of parts `together`: all parts of a split order, this one among them. */
  parts?: readonly TrackedParcel[];
}

/**
 * How a platform hears of the parts of a split order. `each`: each part on its own, with its lines. `together`: all
 * numbers with the last part. `last`: the whole order, under the number of the last part.
 */
export type PartsTold = 'each' | 'together' | 'last';

export interface ConfirmedShipment {
  /** True when the marketplace had it before: nothing was written. */
  alreadySent: boolean;
  transactionId: string;
  trackingCarrier: string;
  trackingNumber: string;
  trackingUrl: string;
  /** The order's status at the marketplace afterwards. */
  status: string;
  /** True: the detected facts no longer hold, and `detect` is called again before the next confirmation. */
  detectAgain?: boolean;
}

/**
 * A method that is present is a capability. Adapters throw `IntegrationError`s whose `code` is one of
 * `MARKETPLACE_ERRORS` where the platform said what is wrong; transport failures keep the codes of `lib/http.ts`.
 */
export interface MarketplaceSpec<Account> {
  /** Same as the folder name. */
  id: string;
  label: string;
  logoUrl: string;
  /** False: the platform has no field for the province, so an address without one is no problem. Absent: true. */
  asksProvince?: boolean;
  /** Whether an order changed at the marketplace is changed here too while its parcel has not left. */
  allowOrderUpdateAfterImport: boolean;
  account: z.ZodType<Account>;
  rateLimit?: { max: number; durationMs: number };
  /** A harmless read that proves the credentials. */
  verifyAccount(context: MarketplaceContext<Account>): Promise<void>;
  /** Facts about the shop that decide how to speak to it; stored on the connection and given back. */
  detect?(context: MarketplaceContext<Account>): Promise<Record<string, unknown>>;
  /** Longest span of a window, in days; absent: 1. A longer one pays where a question costs more than its answer. */
  windowDays?: number;
  listOrders(context: MarketplaceContext<Account>, window: OrderWindow): Promise<OrderPage>;
  /** One order as it is now. Null only when the marketplace says itself that it has none of that id. */
  readOrder(context: MarketplaceContext<Account>, externalId: string): Promise<ImportedOrder | null>;
  /**
   * Finds, by one question, those orders that the marketplace has cancelled, or deleted for good. An unreadable
   * order is not absent. Absent: `readOrder` is asked for each.
   */
  findAbsent?: {
    max: number;
    find(
      context: MarketplaceContext<Account>,
      externalIds: readonly string[],
    ): Promise<ReadonlyMap<string, 'cancelled' | 'gone'>>;
  };
  /** Depends on the shop where it is a function. Absent: `last`. */
  confirmsParts?: PartsTold | ((shop: { account: Account; detected: Record<string, unknown> }) => PartsTold);
  /** Absent: the platform does not sign what it sends, so it is not listened to. */
  webhook?: Webhook<Account>;
  /**
   * Reads the order first and writes only what is missing, so that a repeat writes nothing.
   * `detected` is what `detect` found for this shop.
   */
  confirmShipment(
    context: MarketplaceContext<Account>,
    input: { confirmation: ShipmentConfirmation; detected: Record<string, unknown> },
  ): Promise<ConfirmedShipment>;
}

export type Marketplace = MarketplaceSpec<unknown>;

const defined = new WeakSet<object>();

/** Makes the marketplace that registries hold. */
export function defineMarketplace<Account>(spec: MarketplaceSpec<Account>): Marketplace {
  const marketplace = Object.freeze(spec) as unknown as Marketplace;
  defined.add(marketplace);
  return marketplace;
}

/** Tells whether `defineMarketplace` made the value. */
export function isMarketplace(value: unknown): value is Marketplace {
  return typeof value === 'object' && value !== null && defined.has(value);
}

export type MarketplaceRegistry = ReadonlyMap<string, Marketplace>;
