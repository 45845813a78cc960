import type { JobName } from './jobs.ts';

type Payload = Record<string, unknown>;

const shipment = ({ shipmentId }: Payload): string => `shipment ${shipmentId}`;
const shipments = ({ shipmentIds }: Payload): string => {
  const ids = Array.isArray(shipmentIds) ? shipmentIds : [];
  return ids.length > 3 ? `${ids.length} shipments from ${ids[0]}` : `shipment ${ids.join(', ')}`;
};
const item = ({ itemId }: Payload): string => `(item ${itemId})`;

const TITLES: Record<JobName, (payload: Payload) => string> = {
  book: (payload) => `book ${shipment(payload)}`,
  reconcile: (payload) => `find out what became of ${shipment(payload)}`,
  labels: (payload) => `fetch the labels of ${shipment(payload)}`,
  transmit: (payload) => `transmit ${shipments(payload)}`,
  cancel: (payload) => `cancel a shipment ${item(payload)}`,
  release: (payload) => `release a held shipment ${item(payload)}`,
  'check-address': (payload) => `check an address ${item(payload)}`,
  'pickup-points': (payload) => `find pickup points ${item(payload)}`,
  'live-rates': (payload) => `ask for live rates ${item(payload)}`,
  'book-pickup': (payload) => `book a pickup ${item(payload)}`,
  correct: (payload) => `order the label of a corrected order ${item(payload)}`,
  'cancel-pickup': (payload) => `cancel a pickup ${item(payload)}`,
  poll: (payload) => `look at a shipment now ${item(payload)}`,
  held: ({ contractId }) => `read the held list of contract ${contractId}`,
  track: (payload) => `track ${shipments(payload)}`,
  send: (payload) => `confirm an order ${item(payload)}`,
  import: ({ connectionId }) => `import orders of connection ${connectionId}`,
  'import-order': ({ connectionId, externalId }) => `import order ${externalId} of connection ${connectionId}`,
  verify: (payload) => `check a connection ${item(payload)}`,
  'import-now': (payload) => `import orders now ${item(payload)}`,
  'verify-contract': (payload) => `check a carrier contract ${item(payload)}`,
  print: (payload) => `print a label ${item(payload)}`,
  'test-endpoint': (payload) => `test an event endpoint ${item(payload)}`,
  deliver: ({ endpointId }) => `deliver events to endpoint ${endpointId}`,
};

/**
 * Returns a job's title for people: `book shipment 7, <name of the partner>`. Ids and a marketplace's order number
 * identify it. Payloads hold no names or addresses, so a title cannot show them.
 */
export function jobTitle(job: { name: string; data: unknown }, partner: string | null): string {
  if (!Object.hasOwn(TITLES, job.name)) return job.name;
  const title = TITLES[job.name as JobName]((job.data ?? {}) as Payload);
  return partner === null ? title : `${title}, ${partner}`;
}
