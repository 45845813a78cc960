/** Includes a database that is gone (3D000) or takes no connections (55000). */
const AWAY = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|57P0[1-3]|53300|3D000|55000|08\d{3})$/;
/** A server that stops or starts: it refuses connections, cuts them, or says so itself (57P01 to 57P03). */
const RESTARTING = /^(ECONNREFUSED|ECONNRESET|EPIPE|57P0[1-3])$/;
/** Errors without a code; "not queryable" is a connection that was lost before its next query (`pg` 8.23). */
const LOST =
  /timeout exceeded when trying to connect|Connection terminated|Connection ended|connections are being closed|connection error and is not queryable/;
const POOL_FULL = /timeout exceeded when trying to connect/;
const CUT = /Connection terminated|Connection ended/;

/** Returns true when the database is away, as opposed to a faulty query of ours. */
export function isDatabaseAway(error: unknown): boolean {
  return matches(error, { codes: AWAY, words: LOST });
}

/** Returns true when every connection of the pool was in use for too long. The database itself is there (`pg-pool` 3.14). */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && (POOL_FULL.test(error.message) || isPoolFull(error.cause));
}

/** Returns true when waiting may help, as opposed to a wrong password or an unknown name. */
export function isDatabaseRestarting(error: unknown): boolean {
  return matches(error, { codes: RESTARTING, words: CUT });
}

function matches(error: unknown, signs: { codes: RegExp; words: RegExp }): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    (typeof code === 'string' && signs.codes.test(code)) ||
    signs.words.test(error.message) ||
    matches(error.cause, signs)
  );
}
