import { Big, centsToString } from '../../lib/decimal.ts';
import type { Party, ShipmentDraft } from '../adapter.ts';
import { phoneDigits, shorten } from '../text.ts';
import type { Account } from './schema.ts';
import { collectionMode, FLEX_DELIVERY, MAX_SERVICES, SERVICES } from './services.ts';
import { expandSaint, glsText, phoneText, streetText } from './text.ts';
import { element, wrap } from './xml.ts';

export const MAX_PARCELS = 99;
export const MAX_PARCEL_GRAMS = 2_000_000;
const MAX_CITY = 30;
const MAX_STREET = 35;
/** Lengths of what is cut to fit, which the warnings tell. */
const MAX = { name: 35, person: 50, note: 40, contents: 30, email: 70, mobile: 20, phone: 16 } as const;
/** The driver reads the second address line: cut short it may lead to another door. */
const MAX_SECOND_LINE = 40;
const MAX_SERIAL = 9_999_999;

/** Returns the key of one parcel's label, at most nine digits: the shipment's serial and the parcel's place in it. */
export function parcelCounter(draft: ShipmentDraft, place: number): number {
  return draft.serial * 100 + place;
}

const comma = (decimal: string): string => decimal.replace('.', ',');

/** Kilograms with one decimal; never 0,0, which GLS refuses. */
export function kilograms(grams: number): string {
  const rounded = new Big(grams).div(1000).round(1, Big.roundHalfUp);
  return comma((rounded.lt('0.1') ? new Big('0.1') : rounded).toFixed(1));
}

/** Problems in plain words. A street or city cut short would misroute, so too long ones are refused; see `lossesOf` for the rest. */
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
  const street = streetText(recipient.address);
  unless(
    street.length <= MAX_STREET,
    `The street has ${street.length} characters as GLS writes it, and GLS takes ${MAX_STREET}: shorten it`,
  );
  unless(
    glsText(recipient.address2).length <= MAX_SECOND_LINE,
    `The second address line is longer than the ${MAX_SECOND_LINE} characters that GLS takes: shorten it`,
  );
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

/** Returns the opening of every `<Info>`: GLS wants the credentials first and in this order. */
export function credentials(account: Account): string {
  return (
    element('SedeGls', account.sedeGls) +
    element('CodiceClienteGls', account.codiceClienteGls) +
    element('PasswordClienteGls', account.passwordClienteGls)
  );
}

/**
 * Returns all parcels of one shipment, which GLS merges into one number. Merging ADDS cash on delivery and weight, and
 * replaces the other fields. So the amount to collect rides on the first parcel alone, and every other field on each of
 * them.
 */
export function addParcelXml(account: Account, draft: ShipmentDraft): string {
  const parcels = draft.parcels.map(({ weightGrams }, index) =>
    parcelXml(account, draft, { weightGrams, place: index + 1 }),
  );
  return wrap('Info', credentials(account), element('AddParcelResult', 'S'), ...parcels);
}

function parcelXml(account: Account, draft: ShipmentDraft, parcel: { weightGrams: number; place: number }): string {
  const { recipient, cod, insuredCents } = draft;
  const { name, person, contents, note } = shortenedOf(draft);
  const withCod = cod !== null && parcel.place === 1;
  return element('Parcel', [
    ['CodiceContrattoGls', account.codiceContrattoGls],
    ['RagioneSociale', name],
    ['Indirizzo', streetText(recipient.address)],
    ['Localita', localityOf(recipient)],
    ['Zipcode', recipient.zip.trim()],
    ['Provincia', recipient.province.trim().toUpperCase()],
    ['Bda', draft.reference],
    ['Colli', 1],
    ['PesoReale', kilograms(parcel.weightGrams)],
    ['ImportoContrassegno', withCod ? comma(centsToString(cod.amountCents)) : ''],
    ['ModalitaIncasso', withCod ? (collectionMode(cod.paymentType) ?? '') : ''],
    ['NoteSpedizione', note],
    ['NoteAggiuntive', glsText(recipient.address2)],
    ['TipoPorto', 'F'],
    ['Assicurazione', insuredCents === null ? '' : comma(centsToString(insuredCents))],
    ['RiferimentoCliente', shorten(`${draft.reference} ${glsText(draft.orderNumber)}`.trim(), 600)],
    ['TipoCollo', 0],
    ['Email', emailOf(recipient)],
    ['Cellulare1', phoneText(recipient.phone, MAX.mobile)],
    ['TelefonoDestinatario', phoneText(recipient.phone, MAX.phone)],
    ['PersonaRiferimento', person],
    ['Contenuto', contents],
    ['ServiziAccessori', servicesOf(account, draft).join(',')],
    ['GeneraPdf', draft.labelFormat === 'zpl' ? 6 : 4],
    ['FormatoPdf', draft.labelFormat === 'zpl' ? '' : paperOf(draft)],
    ['ContatoreProgressivo', parcelCounter(draft, parcel.place)],
  ]);
}

interface Words {
  name: string;
  person: string;
  contents: string;
  note: string;
}

/** The texts of a draft as they would be without a limit. */
function wholeOf({ recipient, contents, note }: ShipmentDraft): Words {
  return {
    name: glsText(recipient.company || recipient.name),
    person: recipient.company === '' ? '' : glsText(recipient.name),
    contents: glsText(contents),
    note: glsText(note),
  };
}

function shortenedOf(draft: ShipmentDraft): Words {
  const { name, person, contents, note } = wholeOf(draft);
  return {
    name: shorten(name, MAX.name),
    person: shorten(person, MAX.person),
    contents: shorten(contents, MAX.contents),
    note: shorten(note, MAX.note),
  };
}

/** Half an address is a wrong one. */
function emailOf({ email }: Party): string {
  return email.trim().length <= MAX.email ? email.trim() : '';
}

const NAMES: Readonly<Record<keyof Words, string>> = {
  name: 'recipient',
  person: 'contact person',
  contents: 'contents',
  note: 'note',
};

/** Lists the parts of the draft that do not travel along whole. */
export function lossesOf(draft: ShipmentDraft): string[] {
  const { recipient } = draft;
  const [whole, sent] = [wholeOf(draft), shortenedOf(draft)];
  const cut = (Object.keys(NAMES) as (keyof Words)[]).filter((field) => sent[field] !== whole[field]);
  const hasPhone = phoneDigits(recipient.phone) !== '';
  return [
    ...cut.map((field) => `Shortened for GLS: ${NAMES[field]} "${sent[field]}"`),
    ...(emailOf(recipient) === '' && recipient.email.trim() !== ''
      ? [`The e-mail address has more than ${MAX.email} characters and was left out`]
      : []),
    ...(hasPhone && phoneText(recipient.phone, MAX.mobile) === ''
      ? [`The phone number has more than ${MAX.mobile} characters and was left out`]
      : []),
  ];
}

/** GLS prints nothing larger than A5. */
function paperOf(draft: ShipmentDraft): 'A6' | 'A5' {
  return draft.labelFormat === 'pdf-a6' ? 'A6' : 'A5';
}

export function localityOf(party: Party): string {
  return expandSaint(glsText(party.city));
}

/** Lists the account's standing services and the draft's own, each once. */
export function servicesOf(account: Account, draft: ShipmentDraft): string[] {
  const standing = (account.services ?? '').split(',').map((code) => code.trim());
  return [...new Set([...standing, ...draft.options])].filter((code) => code !== '');
}

/**
 * Returns the request to close, and asks for the depot's list. An empty Assicurazione or Bda would fail the close or
 * erase the Bda.
 */
export function closeXml(account: Account, numbers: readonly string[]): string {
  const parcels = numbers.map((number) => element('Parcel', [['NumeroDiSpedizioneGLSDaConfermare', number]]));
  return wrap('Info', credentials(account), element('CloseWorkDayResult', 'S'), ...parcels);
}
