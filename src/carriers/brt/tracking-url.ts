/**
 * Returns BRT's public page, in the forms that public clients link to (read on 2026-11-22). One is for the fifteen
 * digits of a parcel, one for the twelve of a shipment.
 */
export function trackingUrl(trackingNumber: string): string {
  const number = encodeURIComponent(trackingNumber);
  return /^\d{12}$/.test(trackingNumber)
    ? `https://vas.brt.it/vas/sped_det_show.hsm?referer=sped_numspe_par.htm&Nspediz=${number}`
    : `https://www.mybrt.it/it/mybrt/my-parcels/search?lang=it&parcelNumber=${number}`;
}
