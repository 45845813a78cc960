import { IntegrationError } from '../../lib/errors.ts';
import { MAX_BYTES } from '../../lib/http.ts';
import type { CarrierContext, LabelFile } from '../adapter.ts';
import { labelFrom } from '../labels.ts';
import type { Waybill } from './schema.ts';

const TIMEOUT_MS = 15_000;

/**
 * Fetches the labels of sold waybills, in their order, and lists the numbers without one. Throws nothing: the numbers
 * must not be lost over a label.
 */
export async function downloadLabels(
  { http }: Pick<CarrierContext<unknown>, 'http'>,
  waybills: readonly Waybill[],
): Promise<{ labels: LabelFile[]; missing: string[] }> {
  const files = await Promise.all(
    waybills.map(async ({ downloadURL }) => (await download(http, downloadURL)) ?? (await download(http, downloadURL))),
  );
  return {
    labels: files.filter((file) => file !== null),
    missing: waybills.filter((_waybill, index) => files[index] === null).map(({ code }) => code),
  };
}

/** The address has a token of its own and is on another host: it gets no login of ours. */
async function download(http: CarrierContext<unknown>['http'], url: string): Promise<LabelFile | null> {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const { body } = await http.send({
      ...{ operation: 'label', effect: 'read', method: 'GET', url },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return labelFrom(body);
  } catch (error) {
    if (error instanceof IntegrationError) return null;
    throw error;
  }
}
