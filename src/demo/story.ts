import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { DemoAccount } from './demo-account.ts';

const PATIENCE_MS = 20_000;

/** The place in which a story happens. */
export interface Scene {
  app: App;
  story: Story;
  companyId: number;
  sandboxUrl: string;
  /** Existing directory for labels and borderos. */
  outputDir: string;
}

/** Acts through the public API like any client. Only the sandbox's clock is advanced from outside. */
export class Story {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #signal: AbortSignal;
  #step = 0;

  constructor({ baseUrl, apiKey }: DemoAccount, signal: AbortSignal) {
    this.#base = `${baseUrl}/api/v1/external`;
    this.#apiKey = apiKey;
    this.#signal = signal;
  }

  say(title: string, ...details: string[]): void {
    this.#signal.throwIfAborted();
    this.#step += 1;
    console.log(`\n${String(this.#step).padStart(2)}. ${title}`);
    for (const detail of details) console.log(`    ${detail}`);
  }

  async call<Body = Record<string, never>>(method: string, url: string, body?: unknown): Promise<Body> {
    const response = await this.raw(method, url, body);
    return (await response.json()) as Body;
  }

  async raw(method: string, url: string, body?: unknown): Promise<Response> {
    const response = await this.ask(method, url, body);
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  /** Returns also the answers that refuse. */
  async ask(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.#base}${url}`, {
      method,
      headers: { 'x-api-key': this.#apiKey, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async until<Value>(what: string, read: () => Promise<Value | null | undefined | false>): Promise<Value> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      const value = await read();
      if (value) return value;
      if (Date.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
      await delay(100);
    }
  }
}

/** One shipment in the simulated partners' own books. */
export interface LedgerEntry {
  reference: string;
  labelsSold: number;
  liveAddresses?: string[];
  trackingNumbers: string[];
  confirmed: number;
  released: number;
}

/** Calls a simulated partner's control or shop, which is no part of the public API. */
export async function askSandbox<Body>(url: string, body?: unknown): Promise<Body> {
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${url}: ${await response.text()}`);
  const text = await response.text();
  return (text === '' ? null : JSON.parse(text)) as Body;
}

export function readLedgers(sandboxUrl: string): Promise<Record<string, LedgerEntry[]>> {
  return askSandbox(`${sandboxUrl}/_control/ledger`);
}
