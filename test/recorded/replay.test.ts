import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAdapters } from '../../src/load-adapters.ts';
import { shownMade } from '../../src/usecases/exchanges/made.ts';
import { type Recording, readRecording, replayRecording } from '../../src/usecases/exchanges/recording.ts';

const registries = await loadAdapters([]);
const files = globSync('test/recorded/*/*.json').toSorted();

function read(file: string): Recording {
  return readRecording(readFileSync(file, 'utf8'), file);
}

describe('recorded answers', () => {
  it.each(files)("mean to today's adapter what %s states", async (file) => {
    const replayed = await replayRecording(registries, read(file));

    for (const { method, before, today, verdict, reason } of replayed) {
      expect(`${method}: ${shownMade(today)} ${reason}`).toBe(`${method}: ${shownMade(before)} `);
      expect(verdict).toBe('same');
    }
  });

  it.each(files)('are in the folder of a partner that %s is about', (file) => {
    const partners = read(file).calls.map(({ partner }) => partner);

    expect(partners).toContain(path.basename(path.dirname(file)));
  });

  it('are run with an input that is made up where a file has none', async () => {
    const recording = read('test/recorded/brt/refused-without-a-route.json');
    const [call] = recording.calls;
    delete call?.input;

    const [replayed] = await replayRecording(registries, recording);

    expect(replayed).toMatchObject({ verdict: 'same', today: { kind: 'failed', code: 'refused' } });
  });

  it('do not replay through an adapter that does not exist', async () => {
    const recording = read('test/recorded/brt/refused-without-a-route.json');
    const calls = recording.calls.map((call) => ({ ...call, partner: 'pony-express' }));

    const [replayed] = await replayRecording(registries, { ...recording, calls });

    expect(replayed).toMatchObject({ verdict: 'not-replayable', reason: 'there is no adapter pony-express' });
  });
});
