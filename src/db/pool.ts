import type pg from 'pg';
import { type Visible, visibleCompanies } from '../lib/visible-companies.ts';
import { COMPANY_ROLE, hasRowSecurity } from './row-security.ts';

type Taken = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error | boolean) => void) => void;

/**
 * Tells a new connection that pages in any order cost about as much as pages in a row. That is true of memory, and of disks without
 * moving parts. With its default, PostgreSQL reads years of orders in a row where an index leads to those of today.
 */
export async function guidePlans(client: pg.ClientBase): Promise<void> {
  await client.query('set random_page_cost = 1.1');
}

/** Stops opening connections. A connection that is being opened is handed over first. */
type EndConnecting = () => Promise<void>;

const pools = new WeakMap<pg.Pool, EndConnecting>();

/** Waits for the connections that a pool is opening. After that it opens none. */
export async function endConnecting(pool: pg.Pool): Promise<void> {
  await pools.get(pool)?.();
}

/**
 * Makes a pool hand out connections that see the companies of their caller, and counts the ones that are being
 * opened.
 */
export function preparePool(pool: pg.Pool): void {
  const open = pool.connect.bind(pool) as (taken: Taken) => void;
  const connecting = new Set<Promise<unknown>>();
  let isClosing = false;
  let secured: Promise<boolean> | undefined;

  const connect = (taken: Taken): void => {
    const visible = visibleCompanies();
    open((error, client, release) => {
      if (error || !client || shows(client, visible)) return taken(error, client, release);
      secured ??= hasRowSecurity(client);
      secured
        .then((isSecured) => (isSecured ? showCompanies(client, visible) : undefined))
        .then(
          () => taken(undefined, client, release),
          (cause: Error) => {
            secured = undefined;
            client.release(cause);
            taken(cause);
          },
        );
    });
  };
  const promised = (): Promise<pg.PoolClient> => {
    if (isClosing) return Promise.reject(new Error('The database connections are being closed'));
    const opening = new Promise<pg.PoolClient>((resolve, reject) => {
      connect((error, client) => (client ? resolve(client) : reject(error)));
    });
    connecting.add(opening);
    const forget = (): void => void connecting.delete(opening);
    opening.then(forget, forget);
    return opening;
  };
  // `pool.query` passes a callback.
  pool.connect = ((taken?: Taken) => (taken ? connect(taken) : promised())) as pg.Pool['connect'];
  pools.set(pool, async () => {
    isClosing = true;
    await Promise.allSettled([...connecting]);
  });
}

/** The text of `smista.companies` on a connection; null: it sees all. Absent: the driver's own start, which sees all. */
const shown = new WeakMap<pg.ClientBase, string | null>();

/** Lets a connection see the companies alone before its next statement. Throws when PostgreSQL refuses that. */
export async function showCompanies(client: pg.ClientBase, visible: Visible): Promise<void> {
  if (visible === null) await client.query('reset role');
  else
    await client.query(`select set_config('role', $1, false), set_config('smista.companies', $2, false)`, [
      COMPANY_ROLE,
      textOf(visible),
    ]);
  shown.set(client, visible && textOf(visible));
}

/** Returns true when the connection sees just these companies. */
export function shows(client: pg.ClientBase, visible: Visible): boolean {
  return (shown.get(client) ?? null) === (visible && textOf(visible));
}

function textOf(companyIds: readonly number[]): string {
  return `{${companyIds.join(',')}}`;
}
