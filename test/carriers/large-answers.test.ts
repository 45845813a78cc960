import { XMLValidator } from 'fast-xml-parser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { brt } from '../../src/carriers/brt/index.ts';
import { glsIt } from '../../src/carriers/gls-it/index.ts';
import { hasMuchMarkup } from '../../src/lib/markup.ts';
import { errorsIn } from '../../src/marketplaces/prestashop/xml.ts';
import { buildDraft } from '../support/build-draft.ts';
import { callerOf } from '../support/call-carrier.ts';
import { type Reply, startFakeServer } from '../support/fake-server.ts';
import { account as accountOfBrt } from './brt/replies.ts';
import { account as accountOfGls, infoLabel, soldParcel, xml } from './gls-it/replies.ts';

afterEach(() => void vi.restoreAllMocks());

/** Four megabytes of tags: their parser would stop the process for seconds. */
const TAGS = `<r>${'<a>b</a>'.repeat(500_000)}</r>`;
/** They fit the bytes of an answer, and still cost a second. */
const FEWER_TAGS = `<r>${'<a>b</a>'.repeat(100_000)}</r>`;
const MANY_ATTRIBUTES = `<r>${'<a b="1" c="2" d="3"/>'.repeat(10_000)}</r>`;
const HANDLE = { reference: 'SM0000042', trackingNumber: 'YA610000001', carrierReference: '610000001' };

async function failing(
  carrier: typeof glsIt,
  accountOf: (url: string) => unknown,
  reply: Reply,
  run: Parameters<ReturnType<typeof callerOf>['fail']>[0],
) {
  const server = await startFakeServer([reply]);
  const parsed = vi.spyOn(XMLValidator, 'validate');
  const { fail } = callerOf(carrier, accountOf(server.url));
  const failure = await fail(run);
  await server.close();
  return { kind: failure.kind, code: failure.code, parsed: parsed.mock.calls.length };
}

const TOO_LARGE = { code: 'answer-too-large', parsed: 0 };

describe('an answer of more tags than the operation can need', () => {
  it.each([TAGS, FEWER_TAGS, MANY_ATTRIBUTES])('is refused before it is parsed (%#)', async (body) => {
    const booked = await failing(glsIt, accountOfGls, xml(body), (carrier, context) =>
      carrier.createShipment(context, buildDraft()),
    );
    const tracked = await failing(glsIt, accountOfGls, xml(body), (carrier, context) =>
      (carrier.track as NonNullable<typeof carrier.track>)(context, HANDLE),
    );
    const traced = await failing(brt, accountOfBrt, xml(body), (carrier, context) =>
      (carrier.findByReference as NonNullable<typeof carrier.findByReference>)(context, buildDraft()),
    );

    expect(booked).toEqual({ kind: 'unknown-outcome', ...TOO_LARGE });
    expect(tracked).toEqual({ kind: 'retryable', ...TOO_LARGE });
    expect(traced).toEqual({ kind: 'retryable', ...TOO_LARGE });
    expect(errorsIn(body)).toBeNull();
  });

  it('is no answer with large labels', async () => {
    const label = Buffer.from(`%PDF-1.4\n${'x'.repeat(150 * 1024)}\n%%EOF`).toString('base64');
    const parcels = Array.from({ length: 20 }, (_, at) => soldParcel({ PdfLabel: label, ProgressivoCollo: at + 1 }));
    const server = await startFakeServer([infoLabel(...parcels)]);
    const draft = buildDraft();
    const [parcel = { weightGrams: 1 }] = draft.parcels;
    const many = { ...draft, parcels: Array.from({ length: 20 }, () => parcel) } as typeof draft;

    const booked = await callerOf(glsIt, accountOfGls(server.url)).call((carrier, context) =>
      carrier.createShipment(context, many),
    );
    await server.close();

    expect(booked.labels).toHaveLength(20);
  });

  it('is told by its tags and attributes, whatever its length', () => {
    expect(hasMuchMarkup(`<r>${'x'.repeat(1_000_000)}</r>`, 2)).toBe(false);
    expect(hasMuchMarkup('<r><a/></r>', 2)).toBe(true);
    expect(hasMuchMarkup('<r b="1"/>', 1)).toBe(true);
  });
});
