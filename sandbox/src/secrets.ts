import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export function sha256(data: string | Buffer): string {
  return hash('sha256', data);
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** Returns `prefix` and 256 random bits in base64url. */
export function randomToken(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}
