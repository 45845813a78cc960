import type { HeldAction } from '../../domain/held-actions.ts';
import { Big, centsToString } from '../../lib/decimal.ts';
import type { Party, ReleaseRequest, ShipmentDraft } from '../contract.ts';
import { shorten } from '../text.ts';
import type { Account } from './schema.ts';
import { collectionMode, FLEX_DELIVERY, MAX_SERVICES, SERVICES } from './services.ts';
import { expandSaint, glsText, phoneText, streetText } from './text.ts';
import { element, wrap } from './xml.ts';

export const MAX_PARCELS = 99;
export const MAX_PARCEL_GRAMS = 2_000_000;
const MAX_CITY = 30;
const MAX_SERIAL = 9_999_999;

/** Key of one parcel's label, at most nine digits: the shipment's serial and the parcel's place in it. */
export function parcelCounter(draft: ShipmentDraft, place: number): number {
  return draft.serial * 100 + place;
}

const comma = (decimal: string): string => decimal.replace('.', ',');

/** Kilograms with one decimal; never 0,0, which GLS refuses. */
export function kilograms(grams: number): string {
  const rounded = new Big(grams).div(1000).round(1, Big.roundHalfUp);
  return comma((rounded.lt('0.1') ? new Big('0.1') : rounded).toFixed(1));
}

/** Problems in plain words; what GLS would only cut short is shortened by the mapping instead. */
export function checkDraft(draft: ShipmentDraft): string[] {
  const { recipient, parcels, cod, insuredCents } = draft;
  const problems: string[] = [];
  const unless = (fine: boolean, problem: string): void => void (fine || problems.push(problem));

  unless(/^[A-Z0-9]{1,11}$/.test(draft.reference), 'The reference must be 1 to 11 letters A-Z or digits');
  unless(
    Number.isInteger(draft.serial) && draft.serial >= 1 && draft.serial <= MAX_SERIAL,
    'The shipment serial must be between 1 and 9,999,999',
  );
  unless(parcels.length >= 1 && parcels.length <= MAX_PARCELS, `GLS takes 1 to ${MAX_PARCELS} parcels per shipment`);
  parcels.forEach(({ weightGrams }, index) => {
    unless(weightGrams > 0, `Parcel ${index + 1} needs a weight above zero`);
    unless(weightGrams <= MAX_PARCEL_GRAMS, `Parcel ${index + 1} is above the limit of 2000 kg`);
  });
  unless(recipient.countryCode === 'IT', 'This GLS account delivers in Italy only');
  unless(glsText(recipient.company || recipient.name) !== '', 'The recipient needs a name in Latin letters');
  unless(glsText(recipient.address) !== '', 'The recipient needs an address in Latin letters');
  const city = localityOf(recipient);
  unless(city !== '', 'The recipient needs a city in Latin letters');
  unless(city.length <= MAX_CITY, `The city is longer than the ${MAX_CITY} characters that GLS takes`);
  unless(/^\d{5}$/.test(recipient.zip.trim()), 'The postcode must be five digits');
  unless(/^[A-Za-z]{2}$/.test(recipient.province.trim()), 'The province must be its two letters');
  if (cod) {
    unless(cod.amountCents > 0, 'The cash on delivery amount must be above zero');
    unless(comma(centsToString(cod.amountCents)).length <= 10, 'The cash on delivery amount is too long for GLS');
    unless(collectionMode(cod.paymentType) !== undefined, `GLS cannot collect by "${cod.paymentType}"`);
  }
  if (insuredCents !== null) unless(insuredCents > 0, 'The insured amount must be above zero');
  for (const code of draft.options) {
    unless(
      SERVICES.some((service) => service.code === code),
      `GLS has no service "${code}" that can be ordered here`,
    );
  }
  unless(new Set(draft.options).size <= MAX_SERVICES, `GLS takes at most ${MAX_SERVICES} extra services`);
  unless(
    !draft.options.includes(FLEX_DELIVERY) || recipient.email !== '' || recipient.phone !== '',
    "FlexDelivery needs the recipient's e-mail address or phone number",
  );
  return problems;
}

/** Opening of every `<Info>`: GLS wants the credentials first and in this order. */
function credentials(account: Account): string {
  return (
    element('SedeGls', account.sedeGls) +
    element('CodiceClienteGls', account.codiceClienteGls) +
    element('PasswordClienteGls', account.passwordClienteGls)
  );
}

/**
 * All parcels of one shipment, merged by GLS into one number. Merging ADDS cash on delivery and weight and replaces the
 * other fields, so the amount to collect rides on the first parcel alone and everything else on each of them.
 */
export function addParcelXml(account: Account, draft: ShipmentDraft): string {
  const parcels = draft.parcels.map(({ weightGrams }, index) =>
    parcelXml(account, draft, { weightGrams, place: index + 1 }),
  );
  return wrap('Info', credentials(account), element('AddParcelResult', 'S'), ...parcels);
}

function parcelXml(account: Account, draft: ShipmentDraft, parcel: { weightGrams: number; place: number }): string {
  const { recipient, cod, insuredCents } = draft;
  const name = shorten(glsText(recipient.company || recipient.name), 35);
  const person = recipient.company === '' ? '' : shorten(glsText(recipient.name), 50);
  const withCod = cod !== null && parcel.place === 1;
  return element('Parcel', [
    ['CodiceContrattoGls', account.codiceContrattoGls],
    ['RagioneSociale', name],
    ['Indirizzo', streetText(recipient.address, 35)],
    ['Localita', localityOf(recipient)],
    ['Zipcode', recipient.zip.trim()],
    ['Provincia', recipient.province.trim().toUpperCase()],
    ['Bda', draft.reference],
    ['Colli', 1],
    ['PesoReale', kilograms(parcel.weightGrams)],
    ['ImportoContrassegno', withCod ? comma(centsToString(cod.amountCents)) : ''],
    ['ModalitaIncasso', withCod ? (collectionMode(cod.paymentType) ?? '') : ''],
    ['NoteSpedizione', shorten(glsText(draft.note), 40)],
    ['NoteAggiuntive', shorten(glsText(recipient.address2), 40)],
    ['TipoPorto', 'F'],
    ['Assicurazione', insuredCents === null ? '' : comma(centsToString(insuredCents))],
    ['RiferimentoCliente', shorten(`${draft.reference} ${glsText(draft.orderNumber)}`.trim(), 600)],
    ['TipoCollo', 0],
    ['Email', recipient.email.length <= 70 ? recipient.email.trim() : ''],
    ['Cellulare1', phoneText(recipient.phone, 20)],
    ['TelefonoDestinatario', phoneText(recipient.phone, 16)],
    ['PersonaRiferimento', person],
    ['Contenuto', shorten(glsText(draft.contents), 30)],
    ['ServiziAccessori', servicesOf(account, draft).join(',')],
    ['GeneraPdf', draft.labelFormat === 'zpl' ? 6 : 4],
    ['FormatoPdf', draft.labelFormat === 'zpl' ? '' : paperOf(draft)],
    ['ContatoreProgressivo', parcelCounter(draft, parcel.place)],
  ]);
}

/** GLS prints nothing larger than A5. */
function paperOf(draft: ShipmentDraft): 'A6' | 'A5' {
  return draft.labelFormat === 'pdf-a6' ? 'A6' : 'A5';
}

function localityOf(party: Party): string {
  return expandSaint(glsText(party.city));
}

/** The account's standing services and the draft's own, each once. */
export function servicesOf(account: Account, draft: ShipmentDraft): string[] {
  const standing = (account.services ?? '').split(',').map((code) => code.trim());
  return [...new Set([...standing, ...draft.options])].filter((code) => code !== '');
}

/** Without Assicurazione or Bda tags: an empty one fails the close or erases the Bda. Asks for the depot's list as well. */
export function closeXml(account: Account, numbers: readonly string[]): string {
  const parcels = numbers.map((number) => element('Parcel', [['NumeroDiSpedizioneGLSDaConfermare', number]]));
  return wrap('Info', credentials(account), element('CloseWorkDayResult', 'S'), ...parcels);
}

const RELEASE_TYPES: Readonly<Partial<Record<HeldAction, 1 | 2 | 3 | 4 | 7>>> = {
  REDISPATCH_SAME_ADDRESS: 1,
  REDISPATCH_NEW_ADDRESS: 2,
  RETURN_TO_SENDER: 3,
  DESTROY: 4,
  PICKUP_AT_DEPOT: 7,
};

export const RELEASE_ACTIONS = Object.keys(RELEASE_TYPES) as HeldAction[];

/** The sender pays for a redelivery; a phone notice is not ordered, the number only goes along as a note. */
export function releaseXml(account: Account, request: ReleaseRequest): string {
  const type = RELEASE_TYPES[request.action];
  if (type === undefined) throw new Error(`GLS has no ${request.action}`);
  const redelivers = type === 1 || type === 2;
  const to = type === 2 ? request.newAddress : null;
  const phone = phoneText(request.recipientPhone, 15);
  const note = [glsText(request.note), phone && redelivers ? `tel. ${phone}` : '']
    .filter((part) => part !== '')
    .join(' ');
  const [year = '', month = '', day = ''] = request.redeliveryDate.split('-');
  const release = element('ReleaseShipmentStock', [
    ['CodiceContrattoGls', account.codiceContrattoGls],
    ['NumeroSpedizione', request.shipment.trackingNumber],
    ['TipoSvincolo', type],
    ['SpeseAdMittente', redelivers ? 'S' : ''],
    ['DataRiconsegna', redelivers && year !== '' ? `${day}/${month}/${year.slice(-2)}` : ''],
    ['Note', shorten(note, 65)],
    ['CognomeNome', to ? shorten(glsText(to.company || to.name), 20) : ''],
    ['NuovoIndirizzo', to ? streetText(to.address, 30) : ''],
    ['NuovaLocalita', to ? shorten(localityOf(to), 30) : ''],
    ['NuovoZipcode', to ? to.zip.trim() : ''],
    ['NuovaProvincia', to ? to.province.trim().toUpperCase() : ''],
  ]);
  return wrap('Info', credentials(account), release);
}
