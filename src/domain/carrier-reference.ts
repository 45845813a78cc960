/** The letters of an installation code: none looks like another. */
export const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const CODE_LENGTH = 3;

/**
 * Returns our reference for a carrier: installation code and shipment id, eleven characters of A-Z and 0-9.
 * Deterministic.
 */
export function carrierReference(installationCode: string, shipmentId: number): string {
  return `${installationCode}${shipmentId.toString(36).toUpperCase().padStart(8, '0')}`;
}

/**
 * Returns the reference for carriers that take digits only: fifteen of them, five of the installation and ten of the
 * shipment.
 */
export function numericReference(reference: string): string {
  const code = [...reference.slice(0, CODE_LENGTH)].reduce(
    (sum, letter) => sum * CODE_ALPHABET.length + Math.max(0, CODE_ALPHABET.indexOf(letter)),
    0,
  );
  const id = Number.parseInt(reference.slice(CODE_LENGTH), 36);
  return `${String(code).padStart(5, '0')}${String(id).padStart(10, '0')}`;
}
