import type { Route } from '../http/route.ts';
import answers from './answers.json' with { type: 'json' };
import { type Example, STORY } from './story.ts';

/** The parts of an operation that have examples. */
interface Operation {
  parameters?: { name?: string; in?: string; example?: unknown }[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}
interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** The answers of a fresh demo, by `METHOD path` and status. `npm run examples` writes them. */
const ANSWERS: Readonly<Record<string, Record<string, unknown>>> = answers;

/** Adds a fresh demo's requests and answers to an operation of the document. */
export function addExamples(operation: object, { method, path }: Pick<Route, 'method' | 'path'>): void {
  const { parameters = [], requestBody, responses = {} } = operation as Operation;
  const of = `${method.toUpperCase()} ${path}`;
  const told = STORY.filter((example) => example.of === of);
  const [first] = told;
  for (const parameter of parameters) {
    const value = { ...first?.params, ...first?.query }[parameter.name ?? ''];
    if (value !== undefined && parameter.in !== 'header') parameter.example = value;
  }
  for (const [type, request] of Object.entries(requestBody?.content ?? {})) {
    if (first && (first.upload === undefined || first.upload.type === type)) Object.assign(request, bodiesOf(told));
  }
  for (const [status, answer] of Object.entries(ANSWERS[of] ?? {})) {
    const media = responses[status]?.content?.['application/json'];
    if (media) media.example = answer;
  }
}

function bodiesOf(told: readonly Example[]): Media {
  const named = told.filter(({ name }) => name !== undefined);
  if (named.length === 0) return { example: told[0]?.upload?.text ?? told[0]?.body };
  return { examples: Object.fromEntries(named.map(({ name, body }) => [name, { summary: name, value: body }])) };
}
