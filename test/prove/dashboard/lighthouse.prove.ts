// Lighthouse's scores of the public pages on an emulated slow phone: the median of five runs. Performance depends on the machine, so it is only printed, with
// its history. Lighthouse is not a dependency, since it would make the packages a fifth larger; without it this proof says how to install it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, toDay } from '#platform/clock.ts';
import { chromiumPath } from '../../browser/browser.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { SCALE } from '../scale.ts';

const PACKAGE = 'lighthouse';
const BRINGS_IT = `npm install --no-save ${PACKAGE}@13.5.0`;
const SMOKE = SCALE < 1;
const RUNS = SMOKE ? 1 : 5;
const PAGES = { landing: '/', documentation: '/docs', 'signing in': '/sign-in', 'signing up': '/sign-up' };
const JUDGED = ['accessibility', 'best-practices', 'seo'] as const;
/** The lowest score, of 100. */
const LEAST = 95;
const HISTORY = fileURLToPath(new URL('lighthouse-history.json', import.meta.url));

type Scores = Record<(typeof JUDGED)[number] | 'performance', number>;
type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: 'error'; onlyCategories: string[] },
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } }>;

let lighthouse: Lighthouse | undefined;
let stack: Stack;
let browser: ChildProcess | undefined;
let profile: string;
let port: number;
beforeAll(async () => {
  lighthouse = await import(PACKAGE).then((module: { default: Lighthouse }) => module.default).catch(() => undefined);
  if (!lighthouse) return;
  stack = await startStack();
  port = await freePorts(1);
  profile = mkdtempSync(join(tmpdir(), 'egress-lighthouse-'));
  // Not started by playwright, since Lighthouse needs a browser of its own.
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, `--remote-debugging-port=${port}`];
  browser = spawn(chromiumPath(), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  // Apart from warnings, its first line is the address that it listens on.
  for await (const chunk of browser.stderr ?? []) if (String(chunk).includes('DevTools listening')) break;
});
afterAll(async () => {
  if (browser) {
    browser.kill();
    await once(browser, 'exit');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  await stack?.close();
});

async function judged(ask: Lighthouse, path: string): Promise<Scores> {
  const onlyCategories = [...JUDGED, 'performance'];
  const { lhr } = await ask(stack.url + path, { port, logLevel: 'error', onlyCategories });
  return Object.fromEntries(onlyCategories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)])) as Scores;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Kept {
  on: string;
  page: string;
  performance: number;
}
const history = () => (existsSync(HISTORY) ? (JSON.parse(readFileSync(HISTORY, 'utf8')) as Kept[]) : []);

describe('Lighthouse', () => {
  test.each(Object.entries(PAGES).slice(0, SMOKE ? 1 : undefined))('%s', async (page, path) => {
    if (!lighthouse) return console.log(`  not judged: Lighthouse is missing; \`${BRINGS_IT}\` brings it`);
    const runs: Scores[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await judged(lighthouse, path));
    const scores = Object.fromEntries([...JUDGED, 'performance' as const].map((name) => [name, median(runs.map((each) => each[name]))]));
    const before = history();
    const past = before.filter((each) => each.page === page).map(({ on, performance }) => `${on}: ${performance}`);
    console.log(`  ${page}: ${JSON.stringify(scores)}; performance before: ${past.join(', ') || 'never judged'}`);
    if (!SMOKE) {
      const now: Kept = { on: toDay(systemClock.now()), page, performance: scores['performance'] ?? 0 };
      writeFileSync(HISTORY, `${JSON.stringify([...before, now], null, 2)}\n`);
    }
    expect(JUDGED.filter((name) => (scores[name] ?? 0) < LEAST)).toEqual([]);
  });
});
