import { type KeyObject, randomBytes } from 'node:crypto';
import { Installation } from '../db/entities/index.ts';
import { type Orm, systemEm } from '../db/orm.ts';
import { CODE_ALPHABET } from '../domain/carrier-reference.ts';
import { deriveKey, macOf, open, seal } from '../lib/crypto.ts';
import { IntegrationError, UsageError } from '../lib/errors.ts';

/** Encrypts and decrypts stored credentials. */
export interface Vault {
  seal(plain: unknown, context: string): string;
  /** Throws a permanent `IntegrationError` when the text was not encrypted with this key for this row. */
  open(sealed: string, context: string): unknown;
  /** Returns a signature that only this installation can make, for links that carry their own permission. */
  sign(text: string): string;
  /** Three characters at the start of every carrier reference of this installation. */
  installationCode: string;
}

const KEY_CHECK = 'smista';

/** Reads the identity of this database, which the first start writes. Throws a `UsageError` for a SECRET_KEY of another database. */
export async function openVault(orm: Orm, secretKey: KeyObject): Promise<Vault> {
  const em = systemEm(orm);
  const code = [...randomBytes(3)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('');
  await em.execute('insert into installation (id, code, key_check) values (1, ?, ?) on conflict (id) do nothing', [
    code,
    seal(KEY_CHECK, secretKey, 'installation'),
  ]);
  const installation = await em.findOneOrFail(Installation, 1);
  try {
    open(installation.keyCheck, secretKey, 'installation');
  } catch (cause) {
    throw new UsageError('SECRET_KEY does not match this database: set the key it was first started with', { cause });
  }
  const linkKey = deriveKey(secretKey, 'smista links');
  return {
    seal: (plain, context) => seal(JSON.stringify(plain), secretKey, context),
    open: (sealed, context) => {
      try {
        return JSON.parse(open(sealed, secretKey, context));
      } catch (cause) {
        throw new IntegrationError(
          `The credentials of ${context.replace(':', ' ')} cannot be decrypted: apply them again`,
          {
            kind: 'permanent',
            provider: context,
            code: 'account-unreadable',
            cause,
          },
        );
      }
    },
    sign: (text) => macOf(text, linkKey),
    installationCode: installation.code,
  };
}
