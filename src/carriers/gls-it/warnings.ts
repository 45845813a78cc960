import type { LabelFile, ShipmentDraft } from '../adapter.ts';

export function countedOtherwise(draft: ShipmentDraft, parcelCount: number): string[] {
  return parcelCount !== draft.parcels.length
    ? [`GLS counts ${parcelCount} parcels in this shipment, ${draft.parcels.length} were sent`]
    : [];
}

export function otherNumbers(numbers: readonly string[]): string[] {
  const [, ...others] = new Set(numbers);
  return others.length > 0 ? [`GLS also gave the numbers ${others.join(', ')} for this shipment`] : [];
}

export function withoutLabel(labels: readonly LabelFile[], wanted: number): string[] {
  return labels.length < wanted ? [`GLS returned ${labels.length} of ${wanted} labels`] : [];
}
