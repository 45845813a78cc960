import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFailed } from 'vitest';
import { createUser } from '../../src/usecases/people/users.ts';
import type { TestApp } from '../support/test-app.ts';

/** The browser of the machine; null where there is none, and then the tests of the console are skipped. */
export const CHROMIUM = findChromium();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The same browser without windows and without a viewer of PDF: pages open in half the time. */
const SHELL = process.env.CHROMIUM ? null : findProgram(['chromium-headless-shell']);

function findChromium(): string | null {
  const found = process.env.CHROMIUM ?? findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (found === null)
    console.log('The tests of the console are skipped: set CHROMIUM, or install it (apt-get install chromium).');
  return found;
}

function findProgram(names: readonly string[]): string | null {
  for (const name of names) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // It has another name, or there is none.
    }
  }
  return null;
}

/** Starts a browser; one that shows PDF where a test looks at papers. */
export function openBrowser({ showsPdf = false } = {}): Promise<Browser> {
  const executablePath = (showsPdf ? null : SHELL) ?? CHROMIUM ?? '';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Visit {
  page: Page;
  /** Holds errors of scripts, violations of the policy, requests to other hosts and answers with 5xx; empty after a good visit. */
  faults: string[];
  context: BrowserContext;
}

export interface VisitOptions {
  language?: 'it' | 'en';
  width?: number;
  theme?: 'light' | 'dark';
}

/** Opens a page in a browser session of its own, without a login. */
export async function visit(browser: Browser, test: TestApp, options: VisitOptions = {}): Promise<Visit> {
  const { language = 'en', width = 1280, theme = 'light' } = options;
  const context = await browser.newContext({
    baseURL: test.app.url,
    locale: language,
    colorScheme: theme,
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    const text = message.text();
    // A refusal is an answer like any other, which the browser reports by itself.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(text);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== test.app.url) faults.push(`request to ${url.origin}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
  });
  onTestFailed(async () => {
    const file = `/tmp/console-${Date.now()}.png`;
    await page.screenshot({ path: file }).catch(() => undefined);
    console.log(`The page of the failed test: ${file}`, page.url(), faults);
  });
  return { page, faults, context };
}

export interface Credentials {
  email: string;
  password: string;
}

/** Creates a person of the demo company, or of another one. */
export async function addPerson(
  test: TestApp,
  role: 'viewer' | 'operator' | 'admin',
  companyKey: string | null = 'demo',
): Promise<Credentials> {
  const email = `${role}-${companyKey ?? 'all'}-${Math.random().toString(36).slice(2)}@example.com`;
  const { password } = await createUser(test.app.deps, { email, name: role, role, companyKey });
  return { email, password };
}

/** Logs in as a person, and waits for the first screen. */
export async function logIn(page: Page, { email, password }: Credentials, path = '/console'): Promise<void> {
  await page.goto(path);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.click('button[type=submit]');
  await page.waitForSelector('header.frame');
}

/** Returns what axe finds on the page, as `rule: element`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

interface AxeResult {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

/** Returns how many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
