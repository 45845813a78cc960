import type { ImportedAddress, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import type { Contact, Order, StartInstruction } from './schema.ts';

/** Reads the parcel's address, which is the first one of the fulfilment instructions. */
export function importShipping(order: Order, problems: string[]): ImportedAddress {
  const { fulfillmentStartInstructions: instructions } = order;
  if (isDigital(order)) {
    problems.push('The order holds digital goods only: there is nothing to ship');
  }
  const addresses = instructions.map(shipToOf).filter(isGiven);
  const [address = shipToOf(undefined)] = addresses;
  const destinations = new Set(addresses.map((each) => JSON.stringify(each))).size;
  if (destinations > 1) {
    problems.push(
      `The order goes to ${destinations} addresses, of which this is the first: look the others up at eBay`,
    );
  }
  if (
    !isGiven(address) &&
    instructions.some(({ fulfillmentInstructionsType: type }) => type === 'PREPARE_FOR_PICKUP')
  ) {
    problems.push('The customer collects this order in a store');
  }
  problems.push(...addressProblems(address));
  return address;
}

export function isDigital({ fulfillmentStartInstructions: instructions }: Order): boolean {
  return instructions.length > 0 && instructions.every((each) => each.fulfillmentInstructionsType === 'DIGITAL');
}

export function importBilling({ buyer }: Order): ImportedOrder['billing'] {
  const { taxpayerId, taxIdentifierType: type } = buyer.taxIdentifier;
  return {
    ...importContact(buyer.buyerRegistrationAddress),
    vatNumber: type === 'VATIN' ? taxpayerId : '',
    taxCode: type === 'CODICE_FISCALE' ? taxpayerId : '',
  };
}

export function importCustomer({ buyer, fulfillmentStartInstructions: [first] }: Order): ImportedOrder['customer'] {
  const own = buyer.buyerRegistrationAddress;
  const recipient = first?.shippingStep.shipTo;
  return {
    fullName: own.fullName || recipient?.fullName || buyer.username,
    email: own.email || recipient?.email || '',
    phone: own.primaryPhone.phoneNumber || recipient?.primaryPhone.phoneNumber || '',
  };
}

function shipToOf(instruction: StartInstruction | undefined): ImportedAddress {
  const address = importContact(instruction?.shippingStep.shipTo);
  const reference = instruction?.shippingStep.shipToReferenceId;
  if (!reference) return address;
  // eBay's international shipping wants it on the label, right above the street of its warehouse.
  return { ...address, company: [address.company, `Reference #${reference}`].filter(Boolean).join(' ') };
}

function isGiven(address: ImportedAddress): boolean {
  return Object.values(address).some(Boolean);
}

function importContact(contact: Contact | undefined): ImportedAddress {
  const place = contact?.contactAddress;
  return {
    fullName: contact?.fullName ?? '',
    company: contact?.companyName ?? '',
    phone: contact?.primaryPhone.phoneNumber ?? '',
    address: place?.addressLine1 ?? '',
    address2: place?.addressLine2 ?? '',
    city: place?.city ?? '',
    province: place?.stateOrProvince ?? '',
    zip: place?.postalCode ?? '',
    countryCode: place?.countryCode.toUpperCase() ?? '',
  };
}
