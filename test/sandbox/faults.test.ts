import { Router } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultCounts } from '../../sandbox/src/faults.ts';
import type { FaultName, SandboxPartner } from '../../sandbox/src/partner.ts';
import { createGlsItSandbox } from '../../sandbox/src/partners/gls-it.ts';
import { createUpsSandbox } from '../../sandbox/src/partners/ups/index.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';

const LOGIN = { SedeGls: 'YA', CodiceClienteGls: '999901', PasswordClienteGls: 'sandbox' };
const MEBIBYTE = 1024 * 1024;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createGlsItSandbox, createUpsSandbox] });
});
afterEach(() => sandbox.close());

async function control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${sandbox.url}/_control/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

function call(method: string, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ ...LOGIN, ...form });
  return fetch(`${sandbox.url}/gls-it/ilswebservice.asmx/${method}`, { method: 'POST', body });
}

/** Books one parcel under a reference of its own. */
function book(reference: string): Promise<Response> {
  const parcel = `<Parcel><CodiceContrattoGls>0001</CodiceContrattoGls><RagioneSociale>Chiara Prova</RagioneSociale><Indirizzo>Via Torino, 5</Indirizzo><Localita>Milano</Localita><Zipcode>20123</Zipcode><Provincia>MI</Provincia><Bda>${reference}</Bda><Colli>1</Colli><PesoReale>1,0</PesoReale><TipoPorto>F</TipoPorto><GeneraPdf>6</GeneraPdf><ContatoreProgressivo>1</ContatoreProgressivo></Parcel>`;
  const login = Object.entries(LOGIN).map(([name, value]) => `<${name}>${value}</${name}>`);
  return call('AddParcel', { XMLInfoParcel: `<Info>${login.join('')}${parcel}</Info>` });
}

async function labelsSold(reference: string): Promise<number> {
  const { body } = await control('GET', 'ledger?partner=gls-it');
  const entries = (body as { 'gls-it': { reference: string; labelsSold: number }[] })['gls-it'];
  return entries.find((entry) => entry.reference === reference)?.labelsSold ?? 0;
}

async function injected(): Promise<FaultCounts> {
  return ((await control('GET', 'fault-plan')).body as { injected: FaultCounts }).injected;
}

describe('a fault that comes after the work', () => {
  const once = (fault: FaultName, delayMs?: number) =>
    control('POST', 'faults', { partner: 'gls-it', operation: 'AddParcel', fault, delayMs });

  it('answers an HTML page with status 200', async () => {
    await once('html');

    const answer = await book('HTML1');

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toMatch(/^<html>/);
    expect(await labelsSold('HTML1')).toBe(1);
  });

  it('answers nothing with status 200', async () => {
    await once('empty');

    const answer = await book('EMPTY1');

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    expect(await labelsSold('EMPTY1')).toBe(1);
  });

  it('sends fewer bytes than it promised and hangs up', async () => {
    await once('truncated');

    const answer = await book('SHORT1');

    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
    await expect(answer.text()).rejects.toThrow();
    expect(await labelsSold('SHORT1')).toBe(1);
  });

  it('sends more than 20 MiB of its own content type', async () => {
    await once('huge');

    const answer = await book('HUGE1');

    expect(answer.headers.get('content-type')).toMatch(/^text\/xml/);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(20 * MEBIBYTE);
    expect(await labelsSold('HUGE1')).toBe(1);
  });

  it('hangs up after a while instead of hanging for ever, when it is told for how long', async () => {
    await once('accept-then-hang', 50);

    await expect(book('HANG1')).rejects.toThrow();

    expect(await labelsSold('HANG1')).toBe(1);
  });
});

describe('a fault plan', () => {
  const PLAN = { partner: 'gls-it', seed: 7, rate: 0.5, faults: ['status-500', 'empty'] };
  const calls = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R1', 'R1'];

  /** What became of each call, told apart by its status and whether it had a body. */
  async function play(references: readonly string[]): Promise<string[]> {
    const seen: string[] = [];
    for (const reference of references) {
      const answer = await book(reference);
      seen.push(`${reference} ${answer.status}${(await answer.text()) === '' ? ' empty' : ''}`);
    }
    return seen;
  }

  it('does the same to the same calls again', async () => {
    await control('POST', 'fault-plan', PLAN);
    const first = await play(calls);
    await control('POST', 'fault-plan', PLAN);
    const second = await play(calls);

    expect(second).toEqual(first);
    expect(new Set(first.map((line) => line.slice(3))).size).toBe(3);
  });

  it('decides by what is asked and how often, not by when', async () => {
    await control('POST', 'fault-plan', PLAN);
    const forwards = await play(calls.slice(0, 8));
    await control('POST', 'fault-plan', PLAN);
    const backwards = await play(calls.slice(0, 8).toReversed());

    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('does something else with another seed', async () => {
    await control('POST', 'fault-plan', PLAN);
    const first = await play(calls);
    await control('POST', 'fault-plan', { ...PLAN, seed: 8 });

    expect(await play(calls)).not.toEqual(first);
  });

  it('spares the operations that it does not name', async () => {
    await control('POST', 'fault-plan', { ...PLAN, rate: 1, operations: ['ListSped'] });

    const booked = await book('SPARED1');
    const listed = await call('ListSped', {});

    expect(booked.status).toBe(200);
    expect(await booked.text()).toMatch('NumeroSpedizione');
    expect([listed.status, await listed.text()]).not.toEqual([200, expect.stringMatching('ListParcel')]);
  });

  it('is counted, as faults switched on by hand are, by fault and by operation', async () => {
    await control('POST', 'fault-plan', { ...PLAN, rate: 1, faults: ['status-503'] });
    await control('POST', 'faults', { partner: 'gls-it', operation: 'ListSped', fault: 'status-429' });
    await book('COUNT1');
    await book('COUNT2');
    await call('ListSped', {});

    expect(await injected()).toEqual({
      total: 3,
      byFault: { 'status-503': 2, 'status-429': 1 },
      byOperation: { AddParcel: 2, ListSped: 1 },
    });
  });

  it('leaves the plans of other partners as they are', async () => {
    await control('POST', 'fault-plan', { ...PLAN, rate: 1, faults: ['status-503'] });
    await control('POST', 'fault-plan', { ...PLAN, partner: 'ups', rate: 0 });

    expect((await book('BESIDE1')).status).toBe(503);
    const { plans } = (await control('GET', 'fault-plan')).body as { plans: { partner: string }[] };
    expect(plans.map(({ partner }) => partner)).toEqual(['gls-it', 'ups']);
  });

  it('ends when it is deleted, and its count stays', async () => {
    await control('POST', 'fault-plan', { ...PLAN, rate: 1, faults: ['status-503'] });
    await book('ENDED1');

    const ended = await control('DELETE', 'fault-plan');
    const answer = await book('ENDED1');

    expect(ended.body).toMatchObject({ plans: [], injected: { total: 1 } });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['no such partner', { ...PLAN, partner: 'nobody' }, 404],
    ['no such fault', { ...PLAN, faults: ['earthquake'] }, 400],
    ['a fault that hides the whole sandbox', { ...PLAN, faults: ['refuse'] }, 400],
    ['a rate above one', { ...PLAN, rate: 2 }, 400],
  ])('is refused with %s', async (_what, plan, status) => {
    expect((await control('POST', 'fault-plan', plan)).status).toBe(status);
  });
});

describe('work done twice', () => {
  it('reaches a partner whose routers are nested both times', async () => {
    let done = 0;
    const createNested = (): SandboxPartner => {
      const [outer, inner] = [Router(), Router()];
      inner.post('/things', (_request, response) => {
        done += 1;
        response.status(201).json({ done });
      });
      outer.use('/v1', inner);
      return {
        id: 'nested',
        operationOf: () => 'make',
        router: outer,
        ledger: () => [],
        save: () => null,
        load: () => undefined,
      };
    };
    const nested = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createNested] });
    const post = (path: string, body: unknown) =>
      fetch(`${nested.url}/${path}`, { method: 'POST', body: JSON.stringify(body) });

    await post('_control/faults', { partner: 'nested', operation: 'make', fault: 'accept-twice', times: 1 });
    const answer = await post('nested/v1/things', {});
    await nested.close();

    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ done: 2 });
  });
});
