/**
 * Lints the OpenAPI documents with the recommended rules of Redocly and Spectral: `npm run check:api`. Their cores are used, not their
 * command lines, which bring a bundler, a web server and telemetry along.
 */
import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { parse } from 'yaml';

for (const document of ['docs/openapi.json', 'docs/openapi-admin.json']) {
  const faults = [...(await redoclyFaults(document)), ...(await spectralFaults(document))];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`${document} keeps the rules of Redocly and Spectral.`);
}

async function redoclyFaults(document: string): Promise<string[]> {
  const config = await createConfig(readFileSync('redocly.yaml', 'utf8'));
  const problems = await lint({ ref: document, config });
  return problems.map(
    ({ ruleId, message, location: [at] }) => `${document}${at?.pointer ?? ''}: ${message} (redocly ${ruleId})`,
  );
}

async function spectralFaults(document: string): Promise<string[]> {
  const { rules } = parse(readFileSync('.spectral.yaml', 'utf8')) as { rules?: Record<string, 'off'> };
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[oas, 'recommended']], ...(rules ? { rules } : {}) } as RulesetDefinition);
  const problems = await linter.run(readFileSync(document, 'utf8'));
  return problems.map(({ code, message, path }) => `${document}#/${path.join('/')}: ${message} (spectral ${code})`);
}
