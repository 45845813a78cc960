import { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'a date and time in ISO 8601, such as 2026-11-22T08:30:00Z',
  date: 'a date as YYYY-MM-DD',
  time: 'a time as HH:MM',
};

/** Words each of zod's own faults as a sentence about the field. A schema's own message wins. */
z.config({ localeError: (issue) => sentenceOf(issue) });

function sentenceOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${NAMES[issue.expected as string] ?? issue.expected}, not ${kindOf(issue.input)}`;
    case 'too_small':
      return sizeSentence(issue, { bound: Number(issue.minimum), word: issue.inclusive ? 'at least' : 'more than' });
    case 'too_big':
      return sizeSentence(issue, { bound: Number(issue.maximum), word: issue.inclusive ? 'at most' : 'less than' });
    case 'invalid_format':
      // A regular expression means nothing to a reader of the message.
      return issue.format === 'regex'
        ? 'has not the right form'
        : `must be ${FORMATS[issue.format as string] ?? issue.format}`;
    case 'invalid_value':
      return `must be ${(issue.values as unknown[])
        .map(String)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1')}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${(issue.keys as string[]).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : 'has none of the allowed forms';
    default:
      return undefined;
  }
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['element', 'elements'],
  set: ['element', 'elements'],
};

function sizeSentence({ origin }: RawIssue, { bound, word }: { bound: number; word: string }): string {
  const units = UNITS[origin as string];
  if (!units) return `must be ${word} ${bound}`;
  if (bound === 1 && word === 'at least') return 'must not be empty';
  return `must have ${word} ${bound} ${units[bound === 1 ? 0 : 1]}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'number') return Number.isInteger(input) ? 'a number' : 'a number with decimals';
  return NAMES[typeof input] ?? typeof input;
}
