import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

interface Sentence {
  message: string;
  parameters?: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** Sends the interface's error body; the caller fills in the placeholders of the message. */
export function sendError(response: Response, status: number, sentence: Sentence): void {
  response.status(status).json(sentence);
}

/** Sends an internal error: Magento tells the details only to its log. */
export function sendInternalError(request: Request, response: Response): void {
  const report = createHash('md5').update(request.url).digest('hex').slice(0, 13);
  const message = `Internal Error. Details are available in Magento log file. Report ID: webapi-${report}`;
  sendError(response, 500, { message });
}

export function sendNoEntity(response: Response): void {
  sendError(response, 404, {
    message: "The entity that was requested doesn't exist. Verify the entity and try again.",
  });
}

export function sendMissing(response: Response, fieldName: string): void {
  sendError(response, 400, { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName } });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
