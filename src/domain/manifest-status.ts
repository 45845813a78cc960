import { statusesBefore, type Transitions } from './machine.ts';

export const MANIFEST_STATUSES = ['created', 'closed', 'deleted'] as const;
export type ManifestStatus = (typeof MANIFEST_STATUSES)[number];

/** Closed by the carrier's first scan; a closed one can still lose parcels that never moved, so it may be deleted. */
export const MANIFEST_TRANSITIONS: Transitions<ManifestStatus> = {
  created: ['closed', 'deleted'],
  closed: ['deleted'],
  deleted: [],
};

export function manifestStatusesBefore(to: ManifestStatus): ManifestStatus[] {
  return statusesBefore(MANIFEST_TRANSITIONS, to);
}
