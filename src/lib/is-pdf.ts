/** Returns true when a file begins as a PDF does. */
export function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).toString('latin1') === '%PDF';
}
