export * from './company.ts';
export * from './manifest.ts';
export * from './operation.ts';
export * from './order.ts';
export * from './partner.ts';
export * from './pickup.ts';
export * from './shipment.ts';
