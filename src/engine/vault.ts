import { type KeyObject, randomBytes } from 'node:crypto';
import { Installation } from '../db/entities/index.ts';
import { type Orm, systemEm } from '../db/orm.ts';
import { CODE_ALPHABET } from '../domain/carrier-reference.ts';
import { deriveKey, macOf, open, sameSecret, seal } from '../lib/crypto.ts';
import { IntegrationError, UsageError } from '../lib/errors.ts';

/** Encrypts and decrypts stored credentials: with the newest key of the installation, and with all of them. */
export interface Vault {
  seal(plain: unknown, context: string): string;
  /** Throws a permanent `IntegrationError` when the text was not encrypted with one of the keys for this row. */
  open(sealed: string, context: string): unknown;
  /** Encrypts a sealed text with the newest key. Returns null when it already is. Throws like `open`. */
  reseal(sealed: string, context: string): string | null;
  /** Returns a signature that only this installation can make, for links that carry their own permission. */
  sign(text: string): string;
  /** Tells whether one of the keys made this signature of a text. */
  isSigned(text: string, signature: string): boolean;
  /** Returns keyed hashes of a text, one per key, the newest first: without a key they say nothing about it. */
  fingerprints(text: string): string[];
  /** Three characters at the start of every carrier reference of this installation. */
  installationCode: string;
}

/** The secret keys, newest first. */
export type Keys = readonly [newest: KeyObject, ...older: KeyObject[]];

const KEY_CHECK = 'smista';
/** The context of the text that tells whether a key belongs to this database. */
export const INSTALLATION_SEAL = 'installation';

/** Returns the context that binds the secret of a second factor to its person. */
export function secondFactorSeal(userId: number): string {
  return `user:${userId}`;
}

/** Reads the identity of this database, which the first start writes. Throws a `UsageError` when no key is one of this database. */
export async function openVault(orm: Orm, keys: Keys): Promise<Vault> {
  const [newest] = keys;
  const em = systemEm(orm);
  const code = [...randomBytes(3)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('');
  await em.execute('insert into installation (id, code, key_check) values (1, ?, ?) on conflict (id) do nothing', [
    code,
    seal(KEY_CHECK, newest, INSTALLATION_SEAL),
  ]);
  const installation = await em.findOneOrFail(Installation, 1);
  try {
    openWithAny(installation.keyCheck, keys, INSTALLATION_SEAL);
  } catch (cause) {
    throw new UsageError('SECRET_KEY does not match this database: set the key it was first started with', { cause });
  }
  const [linkKey, ...olderLinkKeys] = keys.map((key) => deriveKey(key, 'smista links')) as unknown as Keys;
  const personKeys = keys.map((key) => deriveKey(key, 'smista people'));
  const openSeal = (sealed: string, context: string): { plain: string; key: KeyObject } => {
    try {
      return openWithAny(sealed, keys, context);
    } catch (cause) {
      throw new IntegrationError(
        `The credentials of ${context.replace(':', ' ')} cannot be decrypted: apply them again`,
        { kind: 'permanent', provider: context, code: 'account-unreadable', cause },
      );
    }
  };
  return {
    seal: (plain, context) => seal(JSON.stringify(plain), newest, context),
    open: (sealed, context) => JSON.parse(openSeal(sealed, context).plain),
    reseal: (sealed, context) => {
      const { plain, key } = openSeal(sealed, context);
      return key === newest ? null : seal(plain, newest, context);
    },
    sign: (text) => macOf(text, linkKey),
    isSigned: (text, signature) => [linkKey, ...olderLinkKeys].some((key) => sameSecret(signature, macOf(text, key))),
    fingerprints: (text) => personKeys.map((key) => macOf(text, key)),
    installationCode: installation.code,
  };
}

/** Opens a seal with the first key that fits. Throws when none does. */
function openWithAny(sealed: string, keys: Keys, context: string): { plain: string; key: KeyObject } {
  const faults: unknown[] = [];
  for (const key of keys) {
    try {
      return { plain: open(sealed, key, context), key };
    } catch (fault) {
      faults.push(fault);
    }
  }
  throw new AggregateError(faults, 'No key fits');
}
