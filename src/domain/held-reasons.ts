export interface PlainWords {
  it: string;
  en: string;
}

/** Says why a parcel is held or soon will be, in plain words, and what may still help. */
export const HELD_REASONS = {
  absent: {
    explanation: { it: 'Il destinatario era assente.', en: 'The recipient was not there.' },
    advice: {
      it: 'Chiamare il destinatario e concordare quando è presente.',
      en: 'Call the recipient and agree when a person is there.',
    },
  },
  closed: {
    explanation: { it: 'Il destinatario era chiuso.', en: 'The place was closed.' },
    advice: { it: 'Chiedere al destinatario quando riapre.', en: 'Ask the recipient when it opens again.' },
  },
  ceased: {
    explanation: {
      it: "L'attività a questo indirizzo non c'è o non c'è più.",
      en: 'There is no such business at the address, or it has closed.',
    },
    advice: {
      it: 'Chiedere al destinatario un altro indirizzo.',
      en: 'Ask the recipient for another address.',
    },
  },
  address_wrong: {
    explanation: { it: "L'indirizzo non esiste o è incompleto.", en: 'The address does not exist or is incomplete.' },
    advice: {
      it: "Farsi dare l'indirizzo giusto e comunicarlo al corriere.",
      en: 'Get the right address and give it to the carrier.',
    },
  },
  recipient_unknown: {
    explanation: {
      it: "Il destinatario non è conosciuto all'indirizzo, o non è rintracciabile.",
      en: 'The recipient is not known at the address, or cannot be reached.',
    },
    advice: {
      it: 'Verificare nome sul citofono, indirizzo e telefono.',
      en: 'Check the name at the door, the address and the phone number.',
    },
  },
  other_address: {
    explanation: {
      it: 'Il destinatario si è trasferito o vuole la consegna altrove.',
      en: 'The recipient has moved or wants the parcel elsewhere.',
    },
    advice: { it: 'Chiedere al destinatario il nuovo indirizzo.', en: 'Ask the recipient for the new address.' },
  },
  refused: {
    explanation: { it: 'Il destinatario ha rifiutato il pacco.', en: 'The recipient refused the parcel.' },
    advice: {
      it: 'Chiedere al destinatario il motivo: spesso un pacco rifiutato può solo rientrare.',
      en: 'Ask the recipient why: often a refused parcel can only come back.',
    },
  },
  cod_unpaid: {
    explanation: { it: 'Il contrassegno non è stato pagato.', en: 'The cash on delivery was not paid.' },
    advice: {
      it: "Avvisare il destinatario dell'importo da preparare.",
      en: 'Tell the recipient which amount to have ready.',
    },
  },
  charges_unpaid: {
    explanation: {
      it: 'Spese di trasporto o altri importi non pagati.',
      en: 'Transport or other charges were not paid.',
    },
    advice: { it: 'Chiarire con il destinatario chi paga.', en: 'Settle with the recipient who pays.' },
  },
  postponed: {
    explanation: { it: 'Il destinatario ha rimandato la consegna.', en: 'The recipient put the delivery off.' },
    advice: { it: 'Concordare una data con il destinatario.', en: 'Agree on a date with the recipient.' },
  },
  not_collected: {
    explanation: {
      it: 'Nessuno ha ritirato il pacco entro il termine.',
      en: 'The parcel was not collected in time.',
    },
    advice: { it: 'Ricordare al destinatario il ritiro.', en: 'Remind the recipient to collect it.' },
  },
  documents: {
    explanation: { it: 'Mancano documenti o dati.', en: 'Documents or data are missing.' },
    advice: { it: 'Mandare al corriere ciò che manca.', en: 'Send the carrier what is missing.' },
  },
  pin: {
    explanation: { it: 'Il PIN era sbagliato o mancava.', en: 'The PIN was wrong or missing.' },
    advice: { it: 'Comunicare il PIN al destinatario.', en: 'Give the recipient the PIN.' },
  },
  booking: {
    explanation: { it: 'Manca la prenotazione dello scarico.', en: 'The unloading was not booked.' },
    advice: { it: 'Far prenotare la consegna al destinatario.', en: 'Let the recipient book the delivery.' },
  },
  oversize: {
    explanation: {
      it: 'Il pacco è troppo grande per essere scaricato.',
      en: 'The parcel is too large to be unloaded.',
    },
    advice: { it: 'Accordarsi con il corriere sui mezzi necessari.', en: 'Agree with the carrier on what is needed.' },
  },
  exchange: {
    explanation: { it: 'Lo scambio alla consegna non è riuscito.', en: 'The exchange at the door did not work.' },
    advice: {
      it: 'Accordarsi con il destinatario su ciò che deve consegnare.',
      en: 'Agree with the recipient on what to hand over.',
    },
  },
  stopped: {
    explanation: { it: 'Il corriere ha fermato il pacco.', en: 'The carrier stopped the parcel.' },
    advice: { it: 'Chiedere al corriere il motivo.', en: 'Ask the carrier why.' },
  },
  unknown: {
    explanation: { it: 'Il corriere non ha detto perché.', en: 'The carrier did not say why.' },
    advice: { it: 'Chiedere al corriere il motivo.', en: 'Ask the carrier why.' },
  },
} as const satisfies Record<string, { explanation: PlainWords; advice: PlainWords }>;

export type HeldReason = keyof typeof HELD_REASONS;
export const HELD_REASON_NAMES = Object.keys(HELD_REASONS) as HeldReason[];
