import type { Request, Response } from 'express';
import type { z } from 'zod';

/** Returns undefined for a text that is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body that breaks the rules: `error` is null when it is not even JSON. */
export interface BadBody {
  error: z.ZodError | null;
  json: unknown;
}

/** Makes a reader of JSON bodies. The reader has a bad body refused in the partner's own words, and returns null. */
export function bodyReader(refuse: (bad: BadBody, request: Request, response: Response) => void) {
  return <Schema extends z.ZodType>(schema: Schema, request: Request, response: Response): z.infer<Schema> | null => {
    const json = jsonOf(request.body);
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    refuse({ error: json === undefined ? null : parsed.error, json }, request, response);
    return null;
  };
}
