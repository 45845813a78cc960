/**
 * Decodes bytes of any encoding: UTF-8, else one character per byte. It drops zeros, which makes UTF-16 readable. An
 * answer in an unexpected encoding must still show its text and the secrets in it.
 */
export function textOf(bytes: Buffer): string {
  const plain = bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
  try {
    // Decodes as a stream: a cut character at the end does not make it another encoding.
    return new TextDecoder('utf-8', { fatal: true }).decode(plain, { stream: true });
  } catch {
    return plain.toString('latin1');
  }
}
