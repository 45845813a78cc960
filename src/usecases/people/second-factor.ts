import { Session, User } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { conflict } from '../../engine/find.ts';
import { secondFactorSeal } from '../../engine/vault.ts';
import { sha256 } from '../../lib/crypto.ts';
import { newRecoveryCodes, newSecret, otpauthUri, plainCode, stepOf } from '../../lib/second-factor.ts';

type FactorDeps = Pick<Deps, 'orm' | 'vault' | 'now'>;

/** A person who is logged in. */
interface Holder {
  userId: number;
  sessionId: number;
  email: string;
}

/** The fields of a person without a second factor. */
export const NO_SECOND_FACTOR = { totpSecret: '', totpSince: null, totpStep: null, recoveryCodes: [] };

/** Begins a second factor. Returns the otpauth URI, which is shown once. Throws a 409 when the person has one. */
export async function beginSecondFactor(deps: FactorDeps, { userId, email }: Holder): Promise<string> {
  const secret = newSecret();
  const totpSecret = deps.vault.seal(secret, secondFactorSeal(userId));
  const begun = await systemEm(deps.orm).nativeUpdate(User, { id: userId, totpSince: null }, { totpSecret });
  if (begun === 0) throw conflict('totp-on', 'The second factor is on: switch it off first');
  return otpauthUri(secret, email);
}

/**
 * Switches the begun second factor on and ends all other logins. Returns the recovery codes, which are shown once; null for a wrong code.
 * Throws a 409 when none was begun, and when it is on.
 */
export async function confirmSecondFactor(
  deps: FactorDeps,
  { userId, sessionId }: Holder,
  code: string,
): Promise<string[] | null> {
  return systemEm(deps.orm).transactional(async (tx) => {
    const user = await tx.findOneOrFail(User, userId);
    if (user.totpSince !== null) throw conflict('totp-on', 'The second factor is on already');
    if (user.totpSecret === '') throw conflict('totp-off', 'Begin first: POST /api/v1/session/totp');
    const totpStep = stepOf(secretOf(deps, user), plainCode(code), deps.now());
    if (totpStep === null) return null;
    const codes = newRecoveryCodes();
    const recoveryCodes = codes.map((one) => sha256(plainCode(one)));
    const begun = { id: userId, totpSince: null, totpSecret: user.totpSecret };
    const confirmed = await tx.nativeUpdate(User, begun, { totpSince: deps.now(), totpStep, recoveryCodes });
    if (confirmed === 0) return null;
    // They began with the password alone.
    await tx.nativeDelete(Session, { userId, id: { $ne: sessionId } });
    return codes;
  });
}

/** Switches the second factor off. Returns false for a wrong code. Throws a 409 when it is off. */
export async function endSecondFactor(deps: FactorDeps, { userId }: Holder, code: string): Promise<boolean> {
  return systemEm(deps.orm).transactional(async (tx) => {
    const user = await tx.findOneOrFail(User, userId);
    if (user.totpSince === null) throw conflict('totp-off', 'The second factor is off already');
    if (!(await useCode(deps, tx, { user, code }))) return false;
    await tx.nativeUpdate(User, { id: userId }, NO_SECOND_FACTOR);
    return true;
  });
}

/** Uses up a code or a recovery code of a person. Returns false for a wrong one, and for one that was used before. */
export async function useCode(
  deps: Pick<Deps, 'vault' | 'now'>,
  tx: Em,
  { user, code }: { user: User; code: string },
): Promise<boolean> {
  const plain = plainCode(code);
  const used = await tx.execute<object[]>(
    `update users set recovery_codes = recovery_codes - ?::text
      where id = ? and totp_since is not null and jsonb_exists(recovery_codes, ?) returning 1`,
    [sha256(plain), user.id, sha256(plain)],
  );
  if (used.length > 0) return true;
  const totpStep = stepOf(secretOf(deps, user), plain, deps.now());
  if (totpStep === null) return false;
  const { id, totpSince } = user;
  const fresh = { id, totpSince, $or: [{ totpStep: null }, { totpStep: { $lt: totpStep } }] };
  return (await tx.nativeUpdate(User, fresh, { totpStep })) > 0;
}

function secretOf({ vault }: Pick<Deps, 'vault'>, { id, totpSecret }: User): string {
  return String(vault.open(totpSecret, secondFactorSeal(id)));
}
