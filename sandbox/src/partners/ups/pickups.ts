import { NO_SHIPPER, no, type Refusal, SUCCESS } from './answers.ts';
import type { Books } from './books.ts';
import type { PickupRequest } from './protocol.ts';
import { isShipper } from './shipments.ts';

export function pickupAnswer({ PickupCreationRequest: order }: PickupRequest, books: Books): object | Refusal {
  const { AddressLine, City, PostalCode = '' } = order.PickupAddress;
  const { ReadyTime, CloseTime, PickupDate } = order.PickupDateInfo;
  if (!isShipper(order.Shipper.Account.AccountNumber)) return NO_SHIPPER;
  if (ReadyTime >= CloseTime) return no('10006', 'CloseTime must be later than ReadyTime');
  const { prn } = books.addPickup(
    [...AddressLine, PostalCode, City, PickupDate].join('|'),
    order.ReferenceNumber ?? '',
  );
  return {
    PickupCreationResponse: {
      Response: SUCCESS,
      PRN: prn,
      RateStatus: { Code: '04', Description: 'Rate not requested' },
    },
  };
}

export function cancelAnswer(prn: string, books: Books): object | Refusal {
  const pickup = books.findPickup(prn);
  if (!pickup) return no('10006', 'There is no pickup request of this number');
  if (pickup.isCancelled) {
    return no('190107', 'The Pickup Request associated with this shipment has previously been canceled');
  }
  books.cancelPickup(pickup);
  return { PickupCancelResponse: { Response: SUCCESS, PickupType: '01' } };
}
