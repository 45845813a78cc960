/** Returns the status of a shipment as the contract has it: the tracking status once there is one, else the process status. */
export function shipmentStatus(shipment: {
  trackingStatus: string | null;
  processStatus: string;
  expiredAt: Date | null;
  exhaustedAt: Date | null;
}): string {
  if (shipment.expiredAt !== null) return 'expired';
  // No worker will retry it: with "queued" the client would wait for ever.
  if (shipment.processStatus === 'queued' && shipment.exhaustedAt !== null) return 'failed';
  return shipment.trackingStatus ?? shipment.processStatus;
}
