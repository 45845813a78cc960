import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startApp } from '../app.ts';
import { ROLES, readConfig } from '../config.ts';
import { awaitEnd } from '../ending.ts';
import { createLog } from '../lib/log.ts';
import { setUpDemo } from './demo-account.ts';
import { tellMessy } from './messy-story.ts';
import { type Scene, Story } from './story.ts';
import { tellStraight } from './straight-story.ts';

/** The stories by name, each with the sentence that ends it. */
const TELLERS: Record<'straight' | 'messy', { tell: (scene: Scene) => Promise<void>; moral: string }> = {
  straight: { tell: tellStraight, moral: 'one order, one label, and every answer was true' },
  messy: { tell: tellMessy, moral: 'nothing went straight, and every parcel has one label to the right place' },
};

/** Plays a story on a service of its own in a temporary directory. Throws when a step has another result than expected. */
export async function runDemo(options: { outputDir: string; story: keyof typeof TELLERS }): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-demo-'));
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', SANDBOX: 'true', RETRY_BASE_MS: '200' });
  const log = createLog({ level: process.env.LOG_LEVEL ?? 'error', pretty: true });
  const { signal } = awaitEnd({ config, log });
  try {
    const app = await startApp({ config, log, roles: ROLES, migrate: true, signal });
    try {
      const sandboxUrl = app.sandboxUrl ?? '';
      const demo = await setUpDemo(app, sandboxUrl);
      mkdirSync(options.outputDir, { recursive: true });
      console.log(`smista is running at ${demo.baseUrl}, with simulated partners at ${sandboxUrl}`);
      const { tell, moral } = TELLERS[options.story];
      const story = new Story(demo, signal);
      await tell({ app, story, companyId: demo.companyId, sandboxUrl, outputDir: options.outputDir });
      console.log(`\nDone: ${moral}.`);
    } finally {
      await app.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
