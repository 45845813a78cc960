import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../sandbox/src/partner.ts';
import { sandboxPartners } from '../../sandbox/src/partners/index.ts';
import { findOldNode } from '../process/old-node.ts';
import { command, ROOT, type RunningCommand, start } from '../process/run-command.ts';

const BIN = path.join(ROOT, 'sandbox/bin/smista-sandbox.js');
const README = readFileSync(path.join(ROOT, 'sandbox/README.md'), 'utf8');

const oldNode = findOldNode();

let directory: string;
let running: RunningCommand | undefined;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'smista-sandbox-'));
});
afterEach(async () => {
  await running?.end('SIGKILL');
  running = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** Starts the sandbox with these arguments and answers its address. */
async function startAlone(...args: string[]): Promise<string> {
  running = start(process.execPath, [BIN, ...args]);
  const [, url = ''] = await running.says(/ready at (http:\S+)/);
  return url;
}

/** Orders a label from the pretend GLS, in the protocol of GLS. */
function orderLabel(url: string, reference: string): Promise<Response> {
  const login =
    '<SedeGls>YA</SedeGls><CodiceClienteGls>999901</CodiceClienteGls><PasswordClienteGls>sandbox</PasswordClienteGls>';
  const parcel = `<Parcel><CodiceContrattoGls>0001</CodiceContrattoGls><RagioneSociale>Chiara Prova</RagioneSociale><Indirizzo>Via Torino, 5</Indirizzo><Localita>Milano</Localita><Zipcode>20123</Zipcode><Provincia>MI</Provincia><Bda>${reference}</Bda><Colli>1</Colli><PesoReale>1,0</PesoReale><TipoPorto>F</TipoPorto><GeneraPdf>6</GeneraPdf><ContatoreProgressivo>1</ContatoreProgressivo></Parcel>`;
  const body = new URLSearchParams({ XMLInfoParcel: `<Info>${login}${parcel}</Info>` });
  return fetch(`${url}/gls-it/ilswebservice.asmx/AddParcel`, { method: 'POST', body });
}

async function labelsSold(url: string): Promise<[reference: string, labels: number][]> {
  const answer = await fetch(`${url}/_control/ledger?partner=gls-it`);
  const books = (await answer.json()) as { 'gls-it': LedgerEntry[] };
  return books['gls-it'].map((entry) => [entry.reference, entry.labelsSold]);
}

describe('the sandbox alone', () => {
  it('starts as its README says, sells a label, keeps its books over SIGTERM and ends with exit code 0', async () => {
    const [, command = ''] = /^npx smista-sandbox (.+)$/m.exec(README) ?? [];
    const args = [...command.replace('3001', '0').split(' '), '--state', path.join(directory, 'books.json')];

    const url = await startAlone(...args);
    const answer = await orderLabel(url, 'ALONE1');
    const label = await answer.text();
    const sold = await labelsSold(url);
    const code = await running?.end('SIGTERM');
    const kept = await labelsSold(await startAlone(...args));

    expect(command).toBe('--port 3001');
    expect(label).toContain('<NumeroSpedizione>');
    expect(sold).toEqual([['ALONE1', 1]]);
    expect(code).toBe(0);
    expect(kept).toEqual(sold);
  });

  it.skipIf(!oldNode)(
    'runs by npx on an old Node with the Node of npm ci, and names the version it needs otherwise',
    async () => {
      const PATH = [path.dirname(oldNode ?? ''), '/usr/bin', '/bin'].join(path.delimiter);

      const byNpx = await command('npx', ['smista-sandbox', '--help'], { PATH });
      const direct = await command(oldNode ?? '', [BIN, '--help'], { PATH });

      expect(byNpx).toEqual({ code: 0, stdout: expect.stringMatching(/^Usage: smista-sandbox /), stderr: '' });
      expect(direct).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^smista-sandbox needs Node 22\.18 or newer, and this is \d+\.\d+\.\d+\n$/),
      });
      expect(README).toContain('It needs Node 22.18 or newer');
    },
  );

  it('has every partner in its README', () => {
    const ids = sandboxPartners.map((create) => create({ now: () => new Date(), touch: () => undefined }).id);
    const listed = [...README.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id);

    expect(listed.toSorted()).toEqual(ids.toSorted());
  });
});
