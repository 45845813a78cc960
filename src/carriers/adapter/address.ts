import type { AddressCheckStatus } from '../../domain/addresses/address-check-status.ts';

/** An address as carriers check it. */

/** The twenty fields of the contract's address check, all strings, empty where the carrier is silent. */
export interface CheckedAddress {
  SiglaRegione: string;
  DescrizioneRegione: string;
  SiglaProvincia: string;
  DescrizioneProvincia: string;
  Cap: string;
  Frazione: string;
  Comune: string;
  Indirizzo: string;
  InoltroInProvincia: string;
  KmDistanzaSede: string;
  Sede: string;
  Zona: string;
  TempoDiResa: string;
  LocalitaDisagiata: string;
  ZTL: string;
  Express12: string;
  IdentPIN: string;
  LocalitaSaturdayExpress: string;
  GiorniPercorso: string;
  SaturdayExpressEffettuabile: string;
}

/** For carriers that say only some of it. */
export const NOTHING_SAID: CheckedAddress = {
  SiglaRegione: '',
  DescrizioneRegione: '',
  SiglaProvincia: '',
  DescrizioneProvincia: '',
  Cap: '',
  Frazione: '',
  Comune: '',
  Indirizzo: '',
  InoltroInProvincia: '',
  KmDistanzaSede: '',
  Sede: '',
  Zona: '',
  TempoDiResa: '',
  LocalitaDisagiata: '',
  ZTL: '',
  Express12: '',
  IdentPIN: '',
  LocalitaSaturdayExpress: '',
  GiorniPercorso: '',
  SaturdayExpressEffettuabile: '',
};

export interface AddressCheck {
  status: AddressCheckStatus;
  /** The carrier's words. */
  message: string;
  addresses: CheckedAddress[];
}

export interface AddressQuestion {
  province: string;
  city: string;
  address: string;
  zip: string;
}
