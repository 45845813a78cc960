/**
 * Label bytes are stored as documents and only waste space in an exchange. The look-behind avoids quadratic time: a short run is not
 * matched again from each of its characters.
 */
const LONG_BASE64 = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{400,}/g;
/** Minimum length of a partial secret at the end of a cut text. Shorter parts match any text. */
const TELLING_CHARACTERS = 3;

/** Redacts one text. With `mayBeCut` it may end in the middle of a secret. */
export type Redact = (text: string, options?: { mayBeCut?: boolean }) => string;

/** Removes label bytes, and secrets in all encodings that requests use. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  return (text, { mayBeCut = false } = {}) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, '***');
    if (mayBeCut) for (const form of forms) clean = withoutBeginning(clean, form);
    // Last, because a long secret may contain such a run.
    return clean.replace(LONG_BASE64, (found) => `[${found.length} characters of base64]`);
  };
}

function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= TELLING_CHARACTERS; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}

/** Lists the encodings of a secret in URLs, forms, XML, XML inside a form, JSON (PHP's too) and base64. */
function formsOf(secret: string): string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = xml.replaceAll('"', '&quot;');
  const written = [secret, xml, quoted.replaceAll("'", '&apos;'), quoted.replaceAll("'", '&#39;')].flatMap((text) => {
    const inAddress = [encodeURIComponent(text), new URLSearchParams([['', text]]).toString().slice(1)];
    return [text, ...inAddress, ...inAddress.map(lowerHex)];
  });
  const json = JSON.stringify(secret).slice(1, -1);
  const php = json.replaceAll('/', String.raw`\/`).replaceAll(/[\u0080-\uffff]/g, escapeUnit);
  const base64 = Buffer.from(secret).toString('base64');
  return [...written, json, php, base64, base64.replaceAll('=', ''), Buffer.from(secret).toString('base64url')];
}

function lowerHex(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
