import type { Call } from './caller.ts';
import { type ClickOptions, Clicks } from './clicks.ts';
import type { Company } from './companies.ts';
import type { Random } from './random.ts';
import type { Ledgers } from './sandbox-judge.ts';
import { type ClientBook, outcomeOfFailure } from './told.ts';

/** One line of `GET /attention`. */
export interface DeskEntry {
  company: string;
  shipmentId: number;
  orderId: number;
  reference: string;
  reasons: string[];
  choices: string[];
}

export interface DeskOptions {
  companies: readonly Company[];
  apiUrls: readonly string[];
  random: Random;
  book: ClientBook;
  deadline(): number;
}

interface Decision {
  choice: 'adopt' | 'resubmit' | 'cancel';
  trackingNumber?: string;
  /** Done with the partner, past its interface. */
  isByHand?: boolean;
}

const PAGE = 100;
/** A parcel in giacenza waits for its receiver's wish; nothing is wrong with it. */
const NOBODYS_FAULT = ['held', 'release-unconfirmed'];

/** The person who works off `GET /attention`, with the partners' own books at hand. */
export class Desk {
  readonly #options: DeskOptions;
  /** Decisions made, by reason and choice. */
  readonly decided = new Map<string, number>();
  #asked = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Everything that the desk of every company shows. */
  async read(): Promise<DeskEntry[]> {
    const pages = await Promise.all(this.#options.companies.map((company) => this.#readOne(company)));
    return pages.flat();
  }

  /** Decides about each entry by the ledgers. Returns how many decisions were made. */
  async workOff(ledgers: Ledgers, { isLastRound }: { isLastRound: boolean }): Promise<number> {
    const { companies } = this.#options;
    const counts = await Promise.all(
      companies.map(async (company) => {
        const entries = (await this.#readOne(company)).filter(isWanting);
        for (const entry of entries) await this.#decide(company, entry, { ledgers, isLastRound });
        return entries.length;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #decide(company: Company, entry: DeskEntry, facts: Facts): Promise<void> {
    const { book } = this.#options;
    const reason = entry.reasons.find((one) => !NOBODYS_FAULT.includes(one)) ?? '';
    const { isByHand, ...decision } = decisionFor(reason, entry, facts);
    const path = `/attention/${entry.shipmentId}/resolve`;
    const call: Call = { method: 'POST', path, body: { ...decision, note: 'by the ledger' } };
    const answer = await this.#clicks(company).once(call);
    if (isByHand && answer?.status === 200) book.settledByHand.add(entry.shipmentId);
    if (reason === 'confirmation-used-up' && answer?.status === 200) {
      // An answer that was waited for has the body of the operation.
      const { details, status, message: words = '' } = answer.body;
      const message = String(details?.errors[0]?.message ?? words);
      const isDone = details ? details.errors.length === 0 : status === 'done';
      const outcome = isDone ? 'success' : outcomeOfFailure(message);
      book.tell({ asked: 'transmit', orderId: entry.orderId, shipmentId: entry.shipmentId, outcome, message });
    }
    if (answer && ![200, 409, 422].includes(answer.status)) this.#clicks(company).wonder(call, answer);
    const what = `${reason}: ${decision.choice}${answer?.status === 200 ? '' : ` (${answer?.status})`}`;
    this.decided.set(what, (this.decided.get(what) ?? 0) + 1);
  }

  async #readOne(company: Company): Promise<DeskEntry[]> {
    const found: DeskEntry[] = [];
    for (;;) {
      const cursor = found.length > 0 ? `&cursor=${found.at(-1)?.shipmentId}` : '';
      const answer = await this.#clicks(company).ask({ method: 'GET', path: `/attention?limit=${PAGE}${cursor}` });
      // An empty desk would be a claim.
      if (answer?.status !== 200) throw new Error(`The desk of ${company.name} cannot be read: ${answer?.status}`);
      const page = answer.body as AttentionBody[];
      found.push(
        ...page.map(({ id, orderId, reference, reasons, choices }) => ({
          company: company.name,
          shipmentId: id,
          orderId,
          reference,
          reasons: reasons.map(({ reason }) => reason),
          choices: choices.map(({ choice }) => choice),
        })),
      );
      if (page.length < PAGE) return found;
    }
  }

  #clicks(company: Company): Clicks {
    const { apiUrls, random, book, deadline } = this.#options;
    const options: ClickOptions = {
      name: `desk-${company.name}-${this.#asked++}`,
      company,
      apiUrls,
      random,
      book,
      deadline,
    };
    return new Clicks(options);
  }
}

interface AttentionBody {
  id: number;
  orderId: number;
  reference: string;
  reasons: { reason: string }[];
  choices: { choice: string }[];
}

interface Facts {
  ledgers: Ledgers;
  isLastRound: boolean;
}

/** Returns true when an entry wants a decision that is not about giacenza. */
export function isWanting({ reasons }: DeskEntry): boolean {
  return reasons.some((reason) => !NOBODYS_FAULT.includes(reason));
}

function decisionFor(reason: string, entry: DeskEntry, { ledgers, isLastRound }: Facts): Decision {
  const own = Object.values(ledgers).flatMap((book) => book.filter(({ reference }) => reference === entry.reference));
  const numbers = own.flatMap(({ liveNumbers }) => liveNumbers);
  const [number] = numbers;
  switch (reason) {
    case 'outcome-unknown':
      // Two of them: the carrier is asked again, so that the surplus is found.
      if (number === undefined || numbers.length > 1) return { choice: isLastRound && !number ? 'cancel' : 'resubmit' };
      return { choice: 'adopt', trackingNumber: number, isByHand: true };
    case 'confirmation-used-up': {
      const isConfirmed = own.some(({ confirmedNumbers }) => number !== undefined && confirmedNumbers.includes(number));
      return { choice: isConfirmed ? 'adopt' : 'resubmit' };
    }
    case 'cancel-unknown':
      return { choice: number === undefined ? 'cancel' : 'resubmit' };
    case 'surplus-label': {
      // A parcel that has left cannot be cancelled any more: its surplus is dealt with at the carrier.
      const canCancel = entry.choices.includes('cancel') && !isLastRound;
      return canCancel ? { choice: 'cancel' } : { choice: 'adopt', isByHand: true };
    }
    case 'label-missing':
      return { choice: 'adopt', isByHand: true };
    case 'marketplace-not-told':
    case 'marketplace-told-another-number': {
      const canSend = entry.choices.includes('resubmit') && !isLastRound;
      return canSend ? { choice: 'resubmit' } : { choice: 'adopt', isByHand: true };
    }
    default:
      return { choice: 'resubmit' };
  }
}
