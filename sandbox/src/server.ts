import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { z } from 'zod';
import { PlannedFaults } from './fault-plan.ts';
import { FaultBoard, serveFaulty } from './faults.ts';
import { FAULTS, type SandboxPartner, type SandboxWorld } from './partner.ts';

export interface SandboxOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Where books are kept over a restart; without it they live in memory. */
  stateFile?: string;
  partners: readonly ((world: SandboxWorld) => SandboxPartner)[];
}

export interface Sandbox {
  url: string;
  close(): Promise<void>;
}

const SAVE_DELAY_MS = 500;
const SAVE_AGAIN_MS = 5000;
const HOUR_MS = 3_600_000;
const REFUSE_MS = 2000;

const FaultBody = z.object({
  partner: z.string(),
  operation: z.string().default('*'),
  fault: z.enum(FAULTS),
  times: z.number().int().min(1).default(1),
  delayMs: z.number().int().min(0).optional(),
});
const PlanBody = z.object({
  partner: z.string(),
  seed: z.number().int().min(0),
  rate: z.number().min(0).max(1),
  // A refused connection needs a sandbox that does not listen: that fault is switched on by hand only.
  faults: z.array(z.enum(FAULTS).exclude(['refuse'])).min(1),
  operations: z.array(z.string()).min(1).optional(),
  delayMs: z.number().int().min(0).optional(),
});
const ClockBody = z.object({ advanceHours: z.number() });

/** Starts every pretend partner behind one port, with `/_control` beside them. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  let offsetMs = 0;
  let saveTimer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    if (!options.stateFile) return;
    const books = Object.fromEntries(partners.map((partner) => [partner.id, partner.save()]));
    try {
      writeFileSync(`${options.stateFile}.new`, JSON.stringify({ offsetMs, books }), { mode: 0o600 });
      renameSync(`${options.stateFile}.new`, options.stateFile);
    } catch (error) {
      // On a full disk perhaps: the books are still here, and the file has the last ones that were whole.
      console.error(`The pretend partners' books were not kept: ${(error as Error).message}`);
      saveTimer = setTimeout(save, SAVE_AGAIN_MS).unref();
    }
  };
  const world: SandboxWorld = {
    now: () => new Date(Date.now() + offsetMs),
    touch: () => {
      if (options.stateFile && !saveTimer) saveTimer = setTimeout(save, SAVE_DELAY_MS);
    },
  };
  const partners = options.partners.map((create) => create(world));
  if (options.stateFile) {
    const state = readState(options.stateFile);
    offsetMs = state.offsetMs;
    for (const partner of partners) {
      if (state.books[partner.id] !== undefined) partner.load(state.books[partner.id]);
    }
  }

  const faults = new FaultBoard();
  const planned = new PlannedFaults();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.raw({ type: () => true, limit: '20mb' }));
  app.use((request: Request, _response: Response, next: NextFunction) => {
    request.body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
    next();
  });

  const control = express.Router();
  control.get('/ledger', (request, response) => {
    const wanted = request.query.partner;
    const chosen = partners.filter((partner) => wanted === undefined || partner.id === wanted);
    if (chosen.length === 0) return void response.status(404).json({ error: `no partner ${String(wanted)}` });
    response.json(Object.fromEntries(chosen.map((partner) => [partner.id, partner.ledger()])));
  });
  control.get('/pickups', (_request, response) => {
    const able = partners.flatMap((partner) => (partner.pickups ? [[partner.id, partner.pickups()]] : []));
    response.json(Object.fromEntries(able));
  });
  control.get('/faults', (_request, response) => void response.json(faults.list()));
  control.post('/faults', (request, response) => {
    const fault = readControl(FaultBody, request, response);
    if (!fault) return;
    if (!partners.some((partner) => partner.id === fault.partner)) {
      return void response.status(404).json({ error: `no partner ${fault.partner}` });
    }
    if (fault.fault === 'refuse') {
      faults.count(fault);
      refuseFor(fault.delayMs ?? REFUSE_MS);
    } else faults.add(fault);
    response.status(201).json(faults.list());
  });
  control.delete('/faults', (_request, response) => {
    faults.clear();
    response.status(204).end();
  });
  const planState = () => ({ plans: planned.plans, injected: faults.counts() });
  control.get('/fault-plan', (_request, response) => void response.json(planState()));
  control.post('/fault-plan', (request, response) => {
    const plan = readControl(PlanBody, request, response);
    if (!plan) return;
    if (!partners.some((partner) => partner.id === plan.partner)) {
      return void response.status(404).json({ error: `no partner ${plan.partner}` });
    }
    planned.start(plan);
    response.status(201).json(planState());
  });
  control.delete('/fault-plan', (_request, response) => {
    planned.stop();
    response.json(planState());
  });
  control.post('/clock', (request, response) => {
    const body = readControl(ClockBody, request, response);
    if (!body) return;
    offsetMs += body.advanceHours * HOUR_MS;
    world.touch();
    response.json({ now: world.now().toISOString() });
  });
  app.use('/_control', control);

  for (const partner of partners) {
    app.use(`/${partner.id}`, (request, response, next) => {
      const operation = partner.operationOf({ method: request.method, path: request.path, body: request.body });
      if (operation === null) return partner.router(request, response, next);
      const content = `${request.url}\n${request.body}`;
      const fault = faults.take(partner.id, operation) ?? planned.take({ partner: partner.id, operation, content });
      if (!fault) return partner.router(request, response, next);
      faults.count({ fault: fault.fault, operation });
      serveFaulty(fault, partner.router, request, response, next).catch(next);
    });
  }
  app.use((_request, response) => void response.status(404).type('text/plain').send('No such pretend partner'));

  const server = createServer(app);
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;

  /** Connections are really refused: the whole sandbox stops listening for a while. */
  function refuseFor(ms: number): void {
    setImmediate(() => {
      server.close();
      server.closeAllConnections();
      setTimeout(() => server.listen(port, options.host), ms);
    });
  }

  return {
    url: `http://${options.host}:${port}`,
    close: async () => {
      save();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.removeListener('error', reject);
}

function readControl<Body>(schema: z.ZodType<Body>, request: Request, response: Response): Body | null {
  let json: unknown;
  try {
    json = JSON.parse(request.body);
  } catch {
    json = undefined;
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  response.status(400).json({ error: z.prettifyError(parsed.error) });
  return null;
}

function readState(file: string): { offsetMs: number; books: Record<string, unknown> } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { offsetMs: 0, books: {} };
    throw error;
  }
}
