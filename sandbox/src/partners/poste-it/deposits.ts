import { wallClock } from '../../clock.ts';
import type { Books, Waybill } from './books.ts';
import { type Holding, holdingOf } from './journey.ts';
import { DepositsRequest, type ReleaseOrder, ReleaseRequest } from './protocol.ts';

const DAY_MS = 86_400_000;
const REASONS: Readonly<Record<string, string>> = {
  RIFDEST: 'Rifiuto del destinatario',
  DESTASS: 'Destinatario assente',
};
const NO_LIST = { deposits: { item: [] }, reasons: { item: [] }, statusList: { item: [] } };

const dateOf = (at: Date): string => wallClock(at, 'Europe/Rome').date;
const dayOf = (yyyymmdd: string): number =>
  Date.parse(`${yyyymmdd.slice(0, 4)}-${yyyymmdd.slice(4, 6)}-${yyyymmdd.slice(6)}`);

/** Parcels that are or were held, by the day their waybill was accepted. `status` filters reasons and `depositReason` states. */
export function depositsAnswer(books: Books, body: unknown): object {
  const request = DepositsRequest.safeParse(body);
  if (!request.success) return ko('E0002', 'Filtro non valido');
  const { dateFrom, dateTo, status, depositReason } = request.data;
  const span = dayOf(dateTo) - dayOf(dateFrom);
  if (!(span >= 0)) return ko('E0002', 'Intervallo di date invertito');
  if (span > 10 * DAY_MS) return ko('E0004', 'Intervallo di date superiore a 10 giorni');
  const found = books
    .search(({ createdAt }) => {
      const accepted = dateOf(new Date(createdAt)).replaceAll('-', '');
      return accepted >= dateFrom && accepted <= dateTo;
    })
    .flatMap((waybill) => {
      const holding = holdingOf(waybill, books.now());
      const isWanted = ['', holding?.reason].includes(status) && ['', holding?.status].includes(depositReason);
      return holding && isWanted ? [depositOf(waybill, holding)] : [];
    });
  if (found.length === 0) return ko('E0003', 'Nessun dato estratto');
  return { ...NO_LIST, result: 'OK', errorCode: '', errorDescription: '', deposits: { item: found } };
}

function ko(errorCode: string, errorDescription: string): object {
  return { ...NO_LIST, result: 'KO', errorCode, errorDescription };
}

function depositOf(waybill: Waybill, { reason, status, start, end }: Holding): object {
  return {
    shipmentId: waybill.code,
    shipmentIdItz: '',
    customerShipmentId: waybill.reference,
    depositDossier: '0000000000',
    depositStatus: status,
    depositStatusDescription: status,
    receipt: waybill.recipient.nameSurname,
    sender: waybill.sender.nameSurname,
    multiplePackages: waybill.of > 1 ? 'X' : '',
    packagesNumber: String(waybill.of).padStart(3, '0'),
    motivationId: reason,
    motivationDescription: REASONS[reason] ?? '',
    releasable: status === 'INGIACENZA' ? 'Y' : 'N',
    shipmentStardDate: dateOf(new Date(waybill.createdAt)),
    startDate: dateOf(start),
    endDate: dateOf(end),
    cdc: waybill.costCenter,
    product: waybill.product,
    releaseActionId: waybill.release?.action ?? '',
    releaseActionDescription: '',
  };
}

/** Answers with an outcome for each waybill. The codes of these refusals were not found: E9… are the sandbox's own. */
export function releaseAnswer(books: Books, body: unknown): object {
  const request = ReleaseRequest.safeParse(body);
  if (!request.success) return { description: '', result: { item: [refused('', 'E9000', 'Richiesta non valida')] } };
  const order = request.data;
  const item = order.shipmentId.item.map(({ barcode }) => {
    const waybill = books.find(barcode);
    const problem = lackOf(order) ?? (waybill ? obstacleOf(waybill, books.now()) : 'Spedizione sconosciuta');
    if (problem !== null || !waybill) return refused(barcode, 'E9001', problem ?? '');
    books.release(waybill, order.releaseAct.releaseAction);
    return { barcode, result: 'OK', errorCode: '', errorDescription: '' };
  });
  return { description: `Svincolo ${order.releaseAct.releaseAction}`, result: { item } };
}

function refused(barcode: string, errorCode: string, errorDescription: string): object {
  return { barcode, result: 'KO', errorCode, errorDescription };
}

function lackOf({ releaseAct, address, officeId }: ReleaseOrder): string | null {
  const { releaseAction } = releaseAct;
  const [place] = address.item;
  if (releaseAction === 'AZ0002' && !(place?.streetName && place.town && place.postCode)) return 'Indirizzo mancante';
  return ['AZ0004', 'AZ0007', 'AZ0008'].includes(releaseAction) && officeId === '' ? 'Ufficio mancante' : null;
}

function obstacleOf(waybill: Waybill, now: Date): string | null {
  return holdingOf(waybill, now)?.status === 'INGIACENZA' ? null : 'Spedizione non svincolabile';
}
