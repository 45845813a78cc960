import type { HeldAction } from '../../domain/held-actions.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { CarrierContext, Party, ReleaseRequest, ReleaseResult } from '../adapter.ts';
import { phoneDigits, shorten } from '../text.ts';
import { credentials, localityOf } from './mapping.ts';
import type { Account } from './schema.ts';
import { glsText, phoneText, streetText } from './text.ts';
import { callLabelService, isTransient, PROVIDER, refusal } from './wire.ts';
import { element, findAll, wrap, type XmlNode } from './xml.ts';

/** The name in use by a public client of the method (read on 2026-11-22); the manual that was found does not show it. */
const PARAMETER = 'XMLInfoReleaseShipmentStock';
const DONE = /^ok\.?$/i;
const MAX = { note: 65, name: 20, street: 30, city: 30, phone: 15 } as const;

const RELEASE_TYPES: Readonly<Partial<Record<HeldAction, 1 | 2 | 3 | 4 | 7>>> = {
  REDISPATCH_SAME_ADDRESS: 1,
  REDISPATCH_NEW_ADDRESS: 2,
  RETURN_TO_SENDER: 3,
  DESTROY: 4,
  PICKUP_AT_DEPOT: 7,
};

export const RELEASE_ACTIONS = Object.keys(RELEASE_TYPES) as HeldAction[];

export async function releaseHeld(context: CarrierContext<Account>, request: ReleaseRequest): Promise<ReleaseResult> {
  const answer = await callLabelService(context, {
    method: 'ReleaseShipmentStock',
    effect: 'write',
    form: { [PARAMETER]: releaseXml(context.account, request) },
  });
  const said = outcomeOf(answer, request.shipment.trackingNumber);
  if (isTransient(said)) throw refusal(said);
  const raw = { Numero: request.shipment.trackingNumber, Svincolo: said };
  return { ok: DONE.test(said), message: [said, ...lossesOf(request)].join('; '), raw };
}

/** Returns GLS's words about this parcel: an empty outcome, or that of another one, says nothing. */
function outcomeOf(answer: XmlNode, trackingNumber: string): string {
  const [item] = findAll(answer, ({ children }) => children.some(({ name }) => name === 'Svincolo'));
  const number =
    item?.attributes.Numero ?? item?.children.find(({ name }) => name === 'Numero')?.text ?? trackingNumber;
  const said = item?.children.find(({ name }) => name === 'Svincolo')?.text ?? '';
  if (said === '' || number !== trackingNumber) throw new Error('ReleaseShipmentStock answered no outcome');
  return said;
}

/** The number goes along in the note, since a phone notice is not ordered, and so does the second line of a new address. */
function noteOf({ action, note, newAddress, recipientPhone }: ReleaseRequest): string {
  const phone = phoneText(recipientPhone, MAX.phone);
  const secondLine = action === 'REDISPATCH_NEW_ADDRESS' ? (newAddress?.address2 ?? '') : '';
  return [glsText(secondLine), glsText(note), phone !== '' && redelivers(action) ? `tel. ${phone}` : '']
    .filter((part) => part !== '')
    .join(' ');
}

function redelivers(action: HeldAction): boolean {
  return action === 'REDISPATCH_SAME_ADDRESS' || action === 'REDISPATCH_NEW_ADDRESS';
}

function nameOf({ company, name }: Party): string {
  return glsText(company || name);
}

/** Lists the parts of the request that do not travel along whole. */
function lossesOf(request: ReleaseRequest): string[] {
  const { action, newAddress, recipientPhone } = request;
  const name = action === 'REDISPATCH_NEW_ADDRESS' && newAddress ? nameOf(newAddress) : '';
  const hasPhone = redelivers(action) && phoneDigits(recipientPhone) !== '';
  return [
    ...(name.length > MAX.name ? [`the name was shortened for GLS to "${shorten(name, MAX.name)}"`] : []),
    ...(noteOf(request).length > MAX.note ? [`the note was cut at ${MAX.note} characters`] : []),
    ...(hasPhone && phoneText(recipientPhone, MAX.phone) === ''
      ? [`the phone number has more than ${MAX.phone} characters and was left out`]
      : []),
  ];
}

/** A street or city cut short would send the parcel elsewhere, so nothing is sent then. */
function newPlaceOf(party: Party) {
  const [street, city] = [streetText(party.address), localityOf(party)];
  if (street.length > MAX.street || city.length > MAX.city) {
    throw new IntegrationError(
      `${PROVIDER} was not asked: the street of the new address has ${street.length} characters and its city ${city.length}, GLS takes ${MAX.street} of each`,
      { kind: 'permanent', provider: PROVIDER, code: 'refused' },
    );
  }
  return { name: shorten(nameOf(party), MAX.name), street, city };
}

/** The sender pays for a redelivery. */
function releaseXml(account: Account, request: ReleaseRequest): string {
  const type = RELEASE_TYPES[request.action];
  if (type === undefined) throw new Error(`GLS has no ${request.action}`);
  const isPaid = redelivers(request.action);
  const to = type === 2 ? request.newAddress : null;
  const place = to ? newPlaceOf(to) : null;
  const [year = '', month = '', day = ''] = request.redeliveryDate.split('-');
  const release = element('ReleaseShipmentStock', [
    ['CodiceContrattoGls', account.codiceContrattoGls],
    ['NumeroSpedizione', request.shipment.trackingNumber],
    ['TipoSvincolo', type],
    ['SpeseAdMittente', isPaid ? 'S' : ''],
    ['DataRiconsegna', isPaid && year !== '' ? `${day}/${month}/${year.slice(-2)}` : ''],
    ['Note', shorten(noteOf(request), MAX.note)],
    ['CognomeNome', place?.name ?? ''],
    ['NuovoIndirizzo', place?.street ?? ''],
    ['NuovaLocalita', place?.city ?? ''],
    ['NuovoZipcode', to ? to.zip.trim() : ''],
    ['NuovaProvincia', to ? to.province.trim().toUpperCase() : ''],
  ]);
  return wrap('Info', credentials(account), release);
}
