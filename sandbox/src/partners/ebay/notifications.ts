import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { sendError } from './answers.ts';
import { type EbayBooks, itemsOf, type StoredOrder } from './books.ts';

/** A delivery as eBay would make it, for a caller that plays eBay. */
export interface SignedNotification {
  headers: { 'content-type': string; 'x-ebay-signature': string };
  body: string;
}

/** Signs `ORDER_CONFIRMATION`s with a key of its own, and shows that key. */
export class Notifier {
  readonly #kid = randomUUID();
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  showKey(request: Request, response: Response): void {
    if (request.params.kid !== this.#kid) {
      const error = { errorId: 195001, message: 'The specified key id is invalid.', domain: 'API_NOTIFICATION' };
      return void sendError(response, 404, error);
    }
    const pem = this.#keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    response.json({ algorithm: 'ECDSA', digest: 'SHA256', key: pem.replaceAll('\n', '') });
  }

  /** About the first line of the order: each line has a notification of its own. */
  notify(order: StoredOrder, now: Date): SignedNotification {
    const [item] = itemsOf(order);
    const at = now.toISOString();
    const body = JSON.stringify({
      metadata: { topic: 'ORDER_CONFIRMATION', schemaVersion: '1.0', deprecated: false },
      notification: {
        notificationId: randomUUID(),
        eventDate: at,
        publishDate: at,
        publishAttemptCount: 1,
        data: {
          user: { userId: 'sandbox', username: 'sandbox-seller' },
          order: {
            orderId: order.orderId,
            orderLineItems: [
              { orderLineItemId: item?.lineItemId, listingId: '110000000017', quantity: item?.quantity },
            ],
          },
        },
      },
    });
    const signature = sign('sha256', Buffer.from(body), this.#keys.privateKey).toString('base64');
    const header = JSON.stringify({ alg: 'ecdsa', kid: this.#kid, signature, digest: 'SHA256' });
    return {
      headers: { 'content-type': 'application/json', 'x-ebay-signature': Buffer.from(header).toString('base64') },
      body,
    };
  }
}

/** Sends the delivery that eBay would send about an order. It is not part of the protocol. */
export function sendNotification(books: EbayBooks, notifier: Notifier): RequestHandler {
  return (request, response) => {
    const order = books.findOrder(request.params.orderId);
    if (order) response.json(notifier.notify(order, books.world.now()));
    else response.status(404).end();
  };
}
