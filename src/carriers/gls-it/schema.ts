import { z } from 'zod';
import { isCalendarDay } from '../../lib/clock.ts';
import { baseUrl } from '../fields.ts';

export const Account = z.object({
  sedeGls: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{2}$/, 'two characters, as printed on the contract')
    .transform((depot) => depot.toUpperCase())
    .meta({ title: 'Sede GLS' }),
  codiceClienteGls: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, 'up to six digits')
    .meta({ title: 'Codice cliente' }),
  passwordClienteGls: z.string().min(1).max(10).meta({ title: 'Password', secret: true }),
  codiceContrattoGls: z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, 'up to four digits')
    .meta({ title: 'Codice contratto' }),
  /** Codes of extra services wanted on every shipment, separated by commas. */
  services: z
    .string()
    .trim()
    .regex(/^(\d{2}(\s*,\s*\d{2})*)?$/, 'two-digit codes separated by commas')
    .optional()
    .meta({ title: 'Servizi accessori predefiniti' }),
  /** Where all three services live instead of the real hosts. */
  baseUrl: baseUrl.optional().meta({ title: 'Indirizzo del servizio' }),
});
export type Account = z.infer<typeof Account>;

const text = z.string().default('');
const count = z.coerce.number().int().catch(0).default(0);
const digits = text.transform((value) => value.replace(/\D/g, ''));

/** One `<Parcel>` of the AddParcel answer; a refused one holds little more than the note. */
export const LabelledParcel = z.object({
  SiglaMittente: text,
  NumeroSpedizione: digits,
  TotaleColli: count,
  ProgressivoCollo: count,
  SiglaSedeDestino: text,
  DescrizioneSedeDestino: text,
  NoteSpedizione: text,
  ContatoreProgressivo: text,
  PdfLabel: text,
  Zpl: text,
  WarningDescription: text,
});
export type LabelledParcel = z.infer<typeof LabelledParcel>;

/** One item of ListSped. */
export const ListedShipment = z.object({
  NumSpedizione: digits.pipe(
    z
      .string()
      .min(9)
      .transform((number) => number.slice(-9)),
  ),
  RiferimentiCliente: text,
  Ddt: text,
  TotaleColli: count,
  StatoSpedizione: text,
});
export type ListedShipment = z.infer<typeof ListedShipment>;

/** Turns dd/MM/yy or dd/MM/yyyy into YYYY-MM-DD; null for anything that is no day. */
export function isoDate(text: string): string | null {
  const [, day, month, year = ''] = /^(\d{2})\/(\d{2})\/(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  const date = `${year.length === 2 ? `20${year}` : year}-${month}-${day}`;
  return isCalendarDay(date) ? date : null;
}

/** One event of the tracking document. */
export const TrackedEvent = z.object({
  Data: z.string().refine((value) => isoDate(value) !== null, 'must be dd/MM/yy'),
  Ora: text,
  Luogo: text,
  Stato: text,
  Note: text,
  Codice: text,
});
export type TrackedEvent = z.infer<typeof TrackedEvent>;

export const FoundAddress = z.object({
  SiglaRegione: text,
  DescrizioneRegione: text,
  SiglaProvincia: text,
  DescrizioneProvincia: text,
  Cap: text,
  Frazione: text,
  Comune: text,
  Indirizzo: text,
  InoltroInProvincia: text,
  KmDistanzaSede: text,
  Sede: text,
  Zona: text,
  TempoDiResa: text,
  LocalitaDisagiata: text,
  ZTL: text,
  Express12: text,
  IdentPIN: text,
  LocalitaSaturdayExpress: text,
  GiorniPercorso: text,
  SaturdayExpressEffettuabile: text,
});
