import type { Em } from '../orm.ts';
import type { Found } from './find-identifiers.ts';
import { quotedArray } from './sql.ts';

/** A name that a search found. */
export interface FoundName extends Found {
  /** 0 to 1. */
  score: number;
}

interface Variant {
  asked: string;
  word: string;
  score: number;
}

interface NameRow {
  orderId: number;
  name: string;
  company: string;
}

const TABLES = [
  { table: 'customer_addresses', company: 'company', key: 'customer_address_id' },
  { table: 'customers', company: 'billing_company', key: 'customer_id' },
] as const;

const LIKE_PREFIX = 0.9;
const LEAST_SIMILAR = 0.4;
/** Letters: shorter words begin or resemble too many names. */
const MIN_PREFIX = 3;
const MIN_SIMILAR = 4;
const VARIANTS = 6;
const MAX_WORDS = 6;
/** Rows that are scored for each table. */
const CANDIDATES = 100;

/** Finds orders by the names of buyers, recipients and their companies; each word may be a beginning or misspelt. */
export async function findNames(
  em: Em,
  { companyId, text, limit }: { companyId: number; text: string; limit: number },
): Promise<FoundName[]> {
  const words = wordsOf(text).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const exact = await rowsWith(em, { companyId, variants: words.map((word) => [word]), limit });
  const found = exact.map((row) => toFound(row, words, 1));
  if (found.length >= limit) return found;
  const variants = await variantsOf(em, companyId, words);
  // A word that resembles no known word cannot be in any name.
  if (words.some((word) => !variants.some(({ asked }) => asked === word))) return found;
  const similar = await rowsWith(em, {
    companyId,
    variants: words.map((word) => variants.filter(({ asked }) => asked === word).map((variant) => variant.word)),
    limit: CANDIDATES,
  });
  const scored = similar.map((row) => toFound(row, words, scoreOf(row, words, variants)));
  return [...found, ...scored].toSorted((one, other) => other.score - one.score || other.orderId - one.orderId);
}

/** Splits like the function `search_words_of` of the database. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().split(/[\s.,;:&/()'"+*_-]+/);
  return [...new Set(words.filter((word) => /\p{L}/u.test(word)))];
}

/** Returns known words that equal, begin with or resemble the asked ones. */
async function variantsOf(em: Em, companyId: number, words: readonly string[]): Promise<Variant[]> {
  return em.execute<Variant[]>(
    `select asked, known.word, known.score from unnest(?::text[]) as asked cross join lateral (
       (select distinct w.word, case when w.word = asked then 1 else ${LIKE_PREFIX} end::float as score from search_words w
         where w.company_id = ? and length(asked) >= ${MIN_PREFIX} and w.word ~>=~ asked and w.word ~<~ (asked || chr(1114111))
         order by 1 limit ${VARIANTS})
       union all
       (select w.word, max(similarity(w.word, asked))::float from search_words w
         where w.company_id = ? and length(asked) >= ${MIN_SIMILAR} and w.word % asked and similarity(w.word, asked) >= ${LEAST_SIMILAR}
         group by w.word order by 2 desc, 1 limit ${VARIANTS})
     ) known`,
    [quotedArray(words), companyId, companyId],
  );
}

/**
 * Returns the newest orders whose name has a variant of each word. The words are no prepared parameters: PostgreSQL
 * walks back from the newest row for a frequent word, and takes the index for a rare one.
 */
async function rowsWith(
  em: Em,
  { companyId, variants, limit }: { companyId: number; variants: readonly string[][]; limit: number },
): Promise<NameRow[]> {
  const parts = TABLES.map(({ table, company, key }) => {
    const words = `search_words_of(full_name || ' ' || ${company})`;
    return `(select o.id as "orderId", f.name, f.company from
      (select id, full_name as name, ${company} as company from ${table}
        where company_id = ? and ${variants.map(() => `${words} && ?::text[]`).join(' and ')} order by id desc limit ?) f
      join orders o on o.${key} = f.id order by o.id desc limit ?)`;
  });
  const values = [companyId, ...variants.map(quotedArray), limit, limit];
  return em.execute<NameRow[]>(
    parts.join(' union '),
    parts.flatMap(() => values),
  );
}

function scoreOf({ name, company }: NameRow, words: readonly string[], variants: readonly Variant[]): number {
  const present = new Set(wordsOf(`${name} ${company}`));
  const scores = words.map((word) =>
    Math.max(0, ...variants.filter((one) => one.asked === word && present.has(one.word)).map(({ score }) => score)),
  );
  return scores.reduce((sum, score) => sum + score, 0) / words.length;
}

function toFound({ orderId, name, company }: NameRow, words: readonly string[], score: number): FoundName {
  const inName = wordsOf(name);
  const isCompany = company !== '' && !words.some((word) => inName.includes(word)) && hasMore(company, name, words);
  const [matched, value] = isCompany ? (['company', company] as const) : (['name', name] as const);
  return { orderId, shipmentId: null, matched, value, isExact: score === 1, score };
}

/** Returns true when the company shares more beginnings with the words than the name does. */
function hasMore(company: string, name: string, words: readonly string[]): boolean {
  const shared = (text: string): number =>
    wordsOf(text).filter((word) => words.some((asked) => word[0] === asked[0])).length;
  return shared(company) > shared(name);
}
