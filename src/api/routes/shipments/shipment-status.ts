/** Returns what the contract calls the status of a shipment: the carrier's once it has spoken, else ours. */
export function shipmentStatus(shipment: {
  trackingStatus: string | null;
  processStatus: string;
  expiredAt: Date | null;
  exhaustedAt: Date | null;
}): string {
  if (shipment.expiredAt !== null) return 'expired';
  // No worker will take it up again: "queued" would let the client wait for ever.
  if (shipment.processStatus === 'queued' && shipment.exhaustedAt !== null) return 'failed';
  return shipment.trackingStatus ?? shipment.processStatus;
}
