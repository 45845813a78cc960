import type { Route } from './localities.ts';

export interface BookedParcel {
  counter: string;
  weightKg: number;
  paper: 'A5' | 'A6';
}

export interface Shipment {
  number: string;
  sede: string;
  cliente: string;
  contratto: string;
  name: string;
  address: string;
  city: string;
  zip: string;
  province: string;
  freight: string;
  bda: string;
  customerReference: string;
  note: string;
  driverNote: string;
  parcels: BookedParcel[];
  codCents: number;
  /** Null: a "GLS Check". */
  route: Route | null;
  createdAt: number;
  closedAt: number | null;
  cancelledAt: number | null;
  release: { type: string; at: number; returnNumber: string } | null;
}
