import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from './errors.ts';
import { Semaphore } from './semaphore.ts';

const derive = promisify(argon2);

/** OWASP's first choice for argon2id: 19 MiB, two passes. `memory` is in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Hashes at a time: each takes memory and a core, and anyone may ask for one. */
const turns = new Semaphore(2);
/** Hashes that may wait: about a second of work. */
const MAX_WAITING = 30;

/** Returns the argon2id hash of a password as a PHC string. Throws a retryable 503 when too many hashes wait. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const hash = await deriveInTurn({ ...COST, message: password.normalize('NFKC'), nonce, tagLength: HASH_BYTES });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`;
}

/** Tells whether a password has this hash. A null hash takes as long and fits no password, so that time tells nothing about an account. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory = COST.memory, passes = COST.passes, parallelism = COST.parallelism, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? '') ?? [];
  const expected = Buffer.from(hash, 'base64');
  const found = await deriveInTurn({
    message: password.normalize('NFKC'),
    nonce: salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: HASH_BYTES,
  });
  return expected.length === found.length && timingSafeEqual(expected, found);
}

async function deriveInTurn(parameters: Argon2Parameters): Promise<Buffer> {
  if (turns.waiting >= MAX_WAITING) {
    throw new Problem('Too many people log in at this moment: try again', {
      status: 503,
      code: 'busy',
      title: 'Busy',
      source: 'platform',
      retryable: true,
      headers: { 'Retry-After': '2' },
    });
  }
  const release = await turns.acquire();
  try {
    return await derive('argon2id', parameters);
  } finally {
    release();
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
