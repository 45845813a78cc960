import { createNote, listNotes } from './client.ts';
import type { Mechanism, Sent, Shipment } from './mechanism.ts';
import type { Note } from './schema.ts';

/** A shop without any tracking function: the customer reads the tracking in a note. */
export const orderNote: Mechanism = {
  completesOrder: true,
  async look(context, shipment) {
    const notes = await listNotes(context, shipment.order.id);
    const same = notes.find((each) => mentions(each.note, shipment.confirmation.trackingNumber));
    if (same) return { sent: sentOf(same, shipment) };
    return {
      write: async () => sentOf(await createNote(context, shipment.order.id, textOf(shipment)), shipment),
    };
  },
};

/** In Italian, because the shop's customer reads it. */
function textOf({ confirmation: { carrierName, trackingNumber, trackingUrl } }: Shipment): string {
  return `Spedito con ${carrierName}, numero di spedizione ${trackingNumber}${trackingUrl && `: ${trackingUrl}`}`;
}

/** True for the whole number only: `123` is not in `1234`. */
function mentions(note: string, trackingNumber: string): boolean {
  for (let at = note.indexOf(trackingNumber); at !== -1; at = note.indexOf(trackingNumber, at + 1)) {
    const around = [note[at - 1], note[at + trackingNumber.length]];
    if (!around.some((character) => /[\p{L}\p{N}]/u.test(character ?? ''))) return true;
  }
  return false;
}

function sentOf(note: Note, { confirmation }: Shipment): Sent {
  return {
    transactionId: String(note.id),
    trackingCarrier: confirmation.carrierName,
    trackingUrl: confirmation.trackingUrl,
  };
}
