import { createNote, lookUp } from './client.ts';
import { isReplaced, type Mechanism, requireWhole, type Sent, type Shipment } from './mechanism.ts';
import { Note } from './schema.ts';

/** A shop without any tracking function: the customer reads the tracking in a note. */
export const orderNote: Mechanism = {
  completesOrder: true,
  async look(context, shipment) {
    const path = `wc/v3/orders/${shipment.order.id}/notes`;
    const notes = await lookUp(context, { operation: 'notes.list', path, schema: Note });
    const mention = (number: string) => notes.elements.find((each) => mentions(each.note, number));
    const same = mention(shipment.confirmation.trackingNumber);
    if (same) return { sent: sentOf(same, shipment) };
    return {
      write: async () => {
        requireWhole(notes, 'notes');
        const isCorrection = (shipment.confirmation.replacedNumbers ?? [])
          .filter((number) => isReplaced(shipment, number))
          .some(mention);
        return sentOf(await createNote(context, shipment.order.id, textOf(shipment, isCorrection)), shipment);
      },
    };
  },
};

/** In Italian, because the shop's customer reads it. The dead number stays out: a note that names a number tells it. */
function textOf({ confirmation }: Shipment, isCorrection: boolean): string {
  const { carrierName, trackingNumber } = confirmation;
  const link = confirmation.trackingUrl;
  const number = isCorrection ? 'nuovo numero di spedizione' : 'numero di spedizione';
  return `Spedito con ${carrierName}, ${number} ${trackingNumber}${link && `: ${link}`}`;
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
