import { expect } from 'vitest';
import { IntegrationError } from '../../src/lib/errors.ts';
import { type Reply, startFakeServer } from '../support/fake-server.ts';
import { BROKEN, FOREIGN_NO, FOREIGN_YES } from '../support/foreign-answers.ts';
import type { ScriptedReply } from '../support/scripted-server.ts';
import { callerOf } from './call-marketplace.ts';
import type { MarketplaceSamples } from './conformance.ts';

export interface OwnWords {
  /** Statuses that the protocol names as a yes although their body is empty, such as 204. */
  silentYes?: readonly number[];
  /** The platform's own words, at the first write, that it did not do this; with what is asked after them. */
  refused: readonly Pick<ScriptedReply, 'status' | 'body'>[];
}

/** Each write of a confirmation, answered by something that is not the platform, and the first one by the platform. */
export async function testOwnWords(samples: MarketplaceSamples): Promise<void> {
  const { writes, ownWords } = samples.confirming;
  for (const [index] of writes.entries()) {
    const isLast = index === writes.length - 1;
    for (const reply of FOREIGN_YES) {
      const isYes = isLast && reply.body === '' && ownWords.silentYes?.includes(reply.status ?? 200);
      expect(await endOf(samples, index, [reply]), titleOf(index, reply)).toBe(isYes ? 'succeeded' : 'unknown');
    }
    const wrong = { ...plain(writes[index] ?? {}), status: 202 };
    expect(await endOf(samples, index, [wrong]), `write ${index + 1}: its own body with 202`).toBe('unknown');
    for (const reply of FOREIGN_NO) {
      // Not carried out by all that HTTP says, which settles nothing that was lost before.
      expect(await endOf(samples, index, [reply]), titleOf(index, reply)).not.toMatch(/succeeded|failed/);
    }
  }
  expect(await endOf(samples, 0, ownWords.refused.map(plain)), "in the platform's own words").toBe('failed');
}

function titleOf(index: number, { status, body }: Reply): string {
  return `write ${index + 1}: ${status} ${JSON.stringify(body)}`;
}

/** `no-verdict`: nothing that could settle an earlier try. */
type End = 'succeeded' | 'failed' | 'unknown' | 'no-verdict';

async function endOf(samples: MarketplaceSamples, index: number, replies: readonly Reply[]): Promise<End> {
  const { prelude = [], marketplace, confirming } = samples;
  const reads = confirming.reads.filter(({ isOptional }) => !isOptional);
  const before = [...prelude, ...reads, ...confirming.writes.slice(0, index)];
  const server = await startFakeServer([...before.map(plain), ...replies], { otherwise: BROKEN });
  try {
    await callerOf(marketplace, { account: samples.account(server.url) }).confirm(
      confirming.confirmation,
      confirming.detected,
    );
    return 'succeeded';
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    if (error.kind === 'unknown-outcome') return 'unknown';
    return error.kind === 'permanent' && error.isAuthoritative ? 'failed' : 'no-verdict';
  } finally {
    await server.close().catch(() => {});
  }
}

function plain({ status = 200, headers, body }: Partial<ScriptedReply>): Reply {
  const isObject = typeof body === 'object' && !Buffer.isBuffer(body);
  const text = isObject || typeof body === 'number' ? JSON.stringify(body) : body;
  return {
    status,
    headers: { ...(isObject ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(text === undefined ? {} : { body: text as string | Buffer }),
  };
}
