/**
 * Lints docs/openapi.json with the recommended rules of Redocly and Spectral: `npm run check:api`. Their cores are used, not their
 * command lines, which bring a bundler, a web server and telemetry along.
 */
import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { parse } from 'yaml';

const DOCUMENT = 'docs/openapi.json';

const faults = [...(await redoclyFaults()), ...(await spectralFaults())];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${DOCUMENT} keeps the rules of Redocly and Spectral.`);

async function redoclyFaults(): Promise<string[]> {
  const config = await createConfig(readFileSync('redocly.yaml', 'utf8'));
  const problems = await lint({ ref: DOCUMENT, config });
  return problems.map(
    ({ ruleId, message, location: [at] }) => `${DOCUMENT}${at?.pointer ?? ''}: ${message} (redocly ${ruleId})`,
  );
}

async function spectralFaults(): Promise<string[]> {
  const { rules } = parse(readFileSync('.spectral.yaml', 'utf8')) as { rules?: Record<string, 'off'> };
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[oas, 'recommended']], ...(rules ? { rules } : {}) } as RulesetDefinition);
  const problems = await linter.run(readFileSync(DOCUMENT, 'utf8'));
  return problems.map(({ code, message, path }) => `${DOCUMENT}#/${path.join('/')}: ${message} (spectral ${code})`);
}
