import type { Request, Response } from 'express';

type Value = string | number | { id: string; value: string }[] | null | undefined;
export type Shown = Record<string, Value>;

/** The notice that a badly kept shop prints before everything. */
const NOTICE = '<br />\n<b>Deprecated</b>: Return type of {closure}() in <b>/var/www/modules/old.php</b><br />\n';

/** Answers in JSON where `output_format` says so, else in XML. */
export function sendDocument(
  request: Request,
  response: Response,
  { status = 200, json, xml }: { status?: number; json: unknown; xml: string },
): void {
  const isJson = request.query.output_format === 'JSON';
  const text = isJson
    ? JSON.stringify(json)
    : `<?xml version="1.0" encoding="UTF-8"?>\n<prestashop>${xml}</prestashop>`;
  const notice = response.locals.printsNotices ? NOTICE : '';
  response
    .status(status)
    .type(isJson ? 'application/json' : 'text/xml')
    .send(notice + text);
}

export function sendError(
  request: Request,
  response: Response,
  { status, code, message }: { status: number; code: number; message: string },
): void {
  if (status === 401) response.set('WWW-Authenticate', 'Basic realm="Welcome to PrestaShop Webservice"');
  const xml = `<errors><error><code>${code}</code><message>${cdata(message)}</message></error></errors>`;
  sendDocument(request, response, { status, json: { errors: [{ code, message }] }, xml });
}

/** Sends a list; an empty one in JSON is a bare `[]`. */
export function sendList(
  request: Request,
  response: Response,
  { resource, element, rows }: { resource: string; element: string; rows: Shown[] },
): void {
  const items = rows.map((row) => `<${element}>${leaves(row)}</${element}>`).join('');
  const json = rows.length === 0 ? [] : { [resource]: rows };
  sendDocument(request, response, { json, xml: `<${resource}>${items}</${resource}>` });
}

/** Sends one row; JSON omits what is empty or zero. */
export function sendRow(
  request: Request,
  response: Response,
  { status, element, row }: { status: number; element: string; row: Shown },
): void {
  const told = Object.fromEntries(Object.entries(row).filter(([, value]) => value && value !== '0'));
  const xml = `<${element}>${leaves(row)}</${element}>`;
  sendDocument(request, response, { status, json: { [element]: told }, xml });
}

function leaves(row: Shown): string {
  return Object.entries(row)
    .map(
      ([name, value]) => `<${name}>${Array.isArray(value) ? languages(value) : cdata(String(value ?? ''))}</${name}>`,
    )
    .join('');
}

function languages(values: { id: string; value: string }[]): string {
  return values.map(({ id, value }) => `<language id="${id}">${cdata(value)}</language>`).join('');
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
