import { randomBytes } from 'node:crypto';
import type { EventEndpoint } from '../../db/entities/index.ts';
import type { Vault } from '../../engine/vault.ts';

const PREFIX = 'whsec_';
const NEW_BYTES = 32;
/** Standard Webhooks, "Symmetric": between 24 and 64 bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const MASK = `${PREFIX}********`;

/** Tells whether a text is a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isEventSecret(text: string): boolean {
  const base64 = text.slice(PREFIX.length);
  const bytes = Buffer.from(base64, 'base64');
  const isExact = bytes.toString('base64') === base64;
  return text.startsWith(PREFIX) && isExact && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
}

export function newEventSecret(): string {
  return `${PREFIX}${randomBytes(NEW_BYTES).toString('base64')}`;
}

export function endpointSeal(id: number): string {
  return `event-endpoint:${id}`;
}

/** The encrypted content of `credentials`: the current secret first, then the previous one. */
export interface EventSecrets {
  secrets: string[];
}

/** Returns the secrets that sign now, the current one first. Throws a permanent `IntegrationError` when they cannot be decrypted. */
export function activeSecrets(vault: Vault, endpoint: EventEndpoint, now: Date): string[] {
  const { secrets } = vault.open(endpoint.credentials, endpointSeal(endpoint.id)) as EventSecrets;
  const isOver = endpoint.previousSecretUntil !== null && endpoint.previousSecretUntil <= now;
  return isOver ? secrets.slice(0, 1) : secrets;
}

/** Returns one mask per secret, for answers. */
export function maskedSecrets(count: number): string[] {
  return Array.from({ length: count }, () => MASK);
}
