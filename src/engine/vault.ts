import { type KeyObject, randomBytes } from 'node:crypto';
import { Installation } from '../db/entities/index.ts';
import { type Orm, systemEm } from '../db/orm.ts';
import { CODE_ALPHABET } from '../domain/carrier-reference.ts';
import { deriveKey, macOf, open, seal } from '../lib/crypto.ts';
import { IntegrationError, UsageError } from '../lib/errors.ts';

/** Seals and opens stored credentials. */
export interface Vault {
  seal(plain: unknown, context: string): string;
  /** Throws a permanent `IntegrationError` when the text was not sealed with this key for this row. */
  open(sealed: string, context: string): unknown;
  /** What only this installation can say about a text, for links that carry their own permission. */
  sign(text: string): string;
  /** Three characters that start every carrier reference of this installation. */
  installationCode: string;
}

const KEY_CHECK = 'smista';

/** Reads, or on the first start writes, who this database is, and refuses a key that it was not sealed with. */
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
    throw new UsageError('SECRET_KEY is not the one this database was sealed with', { cause });
  }
  const linkKey = deriveKey(secretKey, 'smista links');
  return {
    seal: (plain, context) => seal(JSON.stringify(plain), secretKey, context),
    open: (sealed, context) => {
      try {
        return JSON.parse(open(sealed, secretKey, context));
      } catch (cause) {
        throw new IntegrationError(
          `The credentials of ${context.replace(':', ' ')} cannot be opened: apply them again`,
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
