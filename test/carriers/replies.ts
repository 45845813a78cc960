import type { ShipmentDraft } from '../../src/carriers/adapter.ts';
import { buildDraft, buildParty } from '../support/build-draft.ts';
import type { Reply } from '../support/fake-server.ts';

export const PDF = Buffer.from('%PDF-1.4\n%%EOF');

export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** To a country outside the European Union, with all that customs want. */
export const exported = (overrides: Partial<ShipmentDraft> = {}): ShipmentDraft =>
  buildDraft({
    recipient: buildParty({
      name: 'Urs Beispiel',
      address: 'Bahnhofstrasse 1',
      city: 'Zürich',
      zip: '8001',
      province: '',
      countryCode: 'CH',
    }),
    ...overrides,
  });
