import { Writable } from 'node:stream';
import type { Carrier, CarrierContext } from '../../src/carriers/adapter.ts';
import { callPartner } from '../../src/lib/call-partner.ts';
import { IntegrationError } from '../../src/lib/errors.ts';
import type { RecordedExchange } from '../../src/lib/http.ts';
import { createLog, type Log, silentLog } from '../../src/lib/log.ts';
import { type FakeServer, type Reply, startFakeServer } from './fake-server.ts';

export interface CarrierCaller {
  carrier: Carrier;
  account: unknown;
  exchanges: RecordedExchange[];
  call<Result>(run: (carrier: Carrier, context: CarrierContext<unknown>) => Promise<Result>): Promise<Result>;
  /** The failure of a call that must fail. */
  fail(run: (carrier: Carrier, context: CarrierContext<unknown>) => Promise<unknown>): Promise<IntegrationError>;
}

export interface CallerOptions {
  signal?: AbortSignal;
  log?: Log;
}

/** Calls a carrier as the use-cases do, through `callPartner`, and keeps the exchanges. */
export function callerOf(carrier: Carrier, account: unknown, options: CallerOptions = {}): CarrierCaller {
  const exchanges: RecordedExchange[] = [];
  const call: CarrierCaller['call'] = (run) =>
    callPartner(
      carrier,
      {
        account,
        signal: options.signal ?? new AbortController().signal,
        log: options.log ?? silentLog,
        now: () => new Date(),
        record: (exchange) => exchanges.push(exchange),
      },
      (context) => run(carrier, context),
    );
  const fail: CarrierCaller['fail'] = async (run) => {
    try {
      await call(run);
    } catch (error) {
      if (error instanceof IntegrationError) return error;
      throw error;
    }
    throw new Error('The call succeeded and should have failed');
  };
  return { carrier, account, exchanges, call, fail };
}

/** The work of a test with a carrier and the partner it calls. */
export type Against = (
  replies: readonly Reply[],
  run: (caller: CarrierCaller, server: FakeServer) => Promise<void>,
  overrides?: Record<string, unknown>,
) => Promise<void>;

/** Runs calls against prepared replies. Fails on an unused reply and on an unexpected request. */
export function againstOf(
  carrier: Carrier,
  account: (url: string, overrides: Record<string, unknown>) => unknown,
  prelude: readonly Reply[] = [],
): Against {
  return async (replies, run, overrides = {}) => {
    const server = await startFakeServer([...prelude, ...replies]);
    try {
      await run(callerOf(carrier, account(server.url, overrides)), server);
    } catch (error) {
      await server.close().catch(() => {});
      throw error;
    }
    await server.close();
  };
}

/** Returns a log at its most verbose level, and everything that was written to it. */
export function listeningLog(): { log: Log; written: () => string } {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  return { log: createLog({ level: 'trace', destination }), written: () => lines.join('') };
}
