import type { Books, Waybill } from './books.ts';
import { type WaybillOrder, WaybillRequest } from './protocol.ts';

/** Numbers of the sandbox's own: which ones Poste has for waybills was not found. It refuses with status 200. */
const MALFORMED = 100;
const REFUSED = 200;

interface Answer {
  costCenterCode?: string;
  Paperless?: string;
  contractCode?: string;
  waybills: object[];
  result: { errorCode: number; errorDescription: string };
}

/** Sells, or says why not; `urlOf` is where the label of a waybill can be had. */
export function waybillAnswer(books: Books, body: unknown, urlOf: (waybill: Waybill) => string): Answer {
  const request = WaybillRequest.safeParse(body);
  if (!request.success) {
    const [issue] = request.error.issues;
    return { waybills: [], result: error(MALFORMED, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`) };
  }
  const { costCenterCode, paperless, waybills } = request.data;
  const head = { costCenterCode, Paperless: paperless, contractCode: '00000000' };
  const fine = error(0, 'OK');
  const answers = waybills.flatMap((order): object[] => {
    const problem = problemOf(order);
    if (problem !== null) return [{ code: '', downloadURL: '', ...error(REFUSED, problem) }];
    return books.sell(order, costCenterCode).map((waybill) => ({
      code: waybill.code,
      internationalCode: '',
      internationalCode2: '',
      downloadURL: urlOf(waybill),
      downloadUrlImg: '',
      ...fine,
    }));
  });
  return { ...head, waybills: answers, result: fine };
}

function problemOf({ data }: WaybillOrder): string | null {
  const { declared, receiver, services } = data;
  if (receiver.zipCode === '00000' || /INESISTENTE/i.test(receiver.city))
    return 'CAP o localita di destinazione errati';
  if (declared.length > 1 && !('APT000945' in services)) return 'Servizio multicollo mancante';
  if (declared.length > 1 && services.APT000948) return 'Il locker accetta un solo collo';
  return null;
}

function error(errorCode: number, errorDescription: string): Answer['result'] {
  return { errorCode, errorDescription };
}
