/** How far an outbound shipment has come on its day, as GET /overview counts it. A shipment is in one stage, or in none. */
export const SHIPMENT_STAGES = [
  'booked',
  'printed',
  'transmitted',
  'on_bordero',
  'with_driver',
  'delivered_today',
] as const;
export type ShipmentStage = (typeof SHIPMENT_STAGES)[number];

/** The stages of an order: those of its shipment, and that it has none yet. */
export const ORDER_STAGES = ['to_ship', ...SHIPMENT_STAGES] as const;
export type OrderStage = (typeof ORDER_STAGES)[number];
