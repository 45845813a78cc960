/**
 * Bytes of any encoding as text: UTF-8, else one character per byte. Zeros are dropped, which makes UTF-16 readable: what came
 * in another encoding than promised must still show what it says, and which secrets it holds.
 */
export function textOf(bytes: Buffer): string {
  const plain = bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
  try {
    // As a stream: a character that was cut at the end is no reason to doubt the encoding.
    return new TextDecoder('utf-8', { fatal: true }).decode(plain, { stream: true });
  } catch {
    return plain.toString('latin1');
  }
}
