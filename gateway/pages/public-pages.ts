// The public pages, drawn on the server in each language with the operator's name, colours and prices, and the shell page in which the browser draws every other page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Clock, MINUTE, after } from '#platform/clock.ts';
import { LANGUAGE_CODES, type Language } from '#platform/language.ts';
import type { Log } from '#platform/log.ts';
import { etagOf } from '#platform/respond.ts';
import type { DrawnPage, Drawing } from './draw-pages.ts';
import { goodsOf, headOf, withIcons } from './page-head.ts';
import { PAGE_POLICY } from '../http/security-headers.ts';

/** A page in the forms in which it is sent. */
export interface Page {
  html: Buffer;
  br: Buffer;
  gzip: Buffer;
  etag: string;
  policy: string;
}

/** What the dashboard must know about this installation; public. The page reads it in `web/src/lib/installation.ts`. */
export interface Installation {
  brand: string;
  supportEmail: string;
  proxyHost: string;
  /** Of one plan, at one proxy node. */
  connectionsPerPlan: number;
  sandbox: { mailUrl: string; networkUrl: string } | null;
  logo: string | null;
  /** Limits of the front that the texts mention. */
  limits: { requestsPerMinute: number; subscriptionsPerConnection: number };
}

export interface PublicPages {
  /** The paths of all public pages. */
  paths: readonly string[];
  /** Undefined when the path is not that of a public page. */
  page(path: string, language: Language): Promise<Page | undefined>;
  shell(language: Language): Page;
}

export interface PublicPagesOptions {
  /** The directory of the dashboard's build. */
  directory: string;
  origin: string;
  installation: Installation;
  /** The path of a picture for cards in chats, of a kind that they show; null: none. */
  picture: string | null;
  /** Style rules with the operator's colours. */
  colours: string;
  /** Answers a public query as for a visitor who is not signed in; rejects when it fails. */
  ask(query: string): Promise<unknown>;
  clock: Clock;
  log: Log;
}

/** How long the answers of queries are kept, so that the pages show an operator's new prices. */
const FRESH_MS = MINUTE;

export function createPublicPages({ directory, origin, installation, picture, colours, ask, clock, log }: PublicPagesOptions): PublicPages {
  const drawn = join(directory, '.drawn');
  const { paths, queries } = existsSync(drawn)
    ? (JSON.parse(readFileSync(join(drawn, 'pages.json'), 'utf8')) as { paths: string[]; queries: Record<string, string> })
    : { paths: [], queries: {} };
  const shellHtml = readFileSync(join(directory, '200.html'), 'utf8');
  const filledIn = (html: string, language: Language, answers: Record<string, unknown>) =>
    fillIn(withIcons(html, installation.logo, picture), language, { ...installation, answers }, colours);
  const shells = perLanguage((language) => toPage(filledIn(shellHtml, language, {}), ''));

  let now: { answers: string; until: Date; pages: Promise<Record<Language, Map<string, Page>>> } | undefined;

  async function draw(answers: Record<string, unknown>): Promise<Record<Language, Map<string, Page>>> {
    const filled = { ...installation, answers };
    const known = { origin, brand: installation.brand, picture, goods: goodsOf(answers) };
    const all = await Promise.all(
      LANGUAGE_CODES.map(async (language) => {
        const drawing = { server: pathToFileURL(join(drawn, 'server.js')).href, origin, paths, language, installation: filled };
        return new Map(
          (await inThread(drawing)).map(({ path, html, policy }) => {
            const head = headOf(html, { ...known, path, language });
            return [
              path,
              toPage(
                filledIn(html, language, answers).replace('</head>', () => `${head}\n  </head>`),
                policy,
              ),
            ];
          }),
        );
      }),
    );
    return perLanguage((_language, index) => all[index] ?? new Map());
  }

  async function refresh(): Promise<void> {
    const answers = await answersTo(queries, ask);
    const text = JSON.stringify(answers);
    const until = after(clock.now(), FRESH_MS);
    now = now?.answers === text ? { ...now, until } : { answers: text, until, pages: draw(answers) };
    await now.pages;
  }

  let refreshing: Promise<void> | undefined;
  return {
    paths,
    shell: (language) => shells[language],
    async page(path, language) {
      if (!paths.includes(path)) return undefined;
      if (!now || now.until <= clock.now())
        refreshing ??= refresh()
          .catch((error) => {
            log.error({ err: error }, 'the public pages could not be drawn');
            if (!now) throw error;
          })
          .finally(() => (refreshing = undefined));
      // The first reader waits; later readers get the present pages while new ones are drawn.
      if (!now) await refreshing;
      return (await now?.pages)?.[language].get(path);
    },
  };
}

const perLanguage = <Value>(make: (language: Language, index: number) => Value) =>
  Object.fromEntries(LANGUAGE_CODES.map((language, index) => [language, make(language, index)])) as Record<Language, Value>;

/** Answers that failed are left out: the browser then asks itself, and shows the error. */
async function answersTo(queries: Record<string, string>, ask: (query: string) => Promise<unknown>): Promise<Record<string, unknown>> {
  const answered = await Promise.all(Object.entries(queries).map(async ([name, query]) => [name, await ask(query).catch(() => undefined)]));
  return Object.fromEntries(answered.filter(([, answer]) => answer !== undefined));
}

const inThread = (workerData: Drawing): Promise<DrawnPage[]> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('draw-pages.ts', import.meta.url), { workerData });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread that draws pages ended with ${code}.`)));
  });

function fillIn(html: string, language: Language, installation: object, colours: string): string {
  // Inside a script element only a less-than sign could end the script.
  const json = JSON.stringify(installation).replaceAll('<', '\\u003c');
  return html
    .replace('<html lang="en"', () => `<html lang="${language}"`)
    .replace('id="installation">', () => `id="installation">${json}`)
    .replace('<style id="colours">', () => `<style id="colours">${colours}`);
}

function toPage(text: string, policy: string): Page {
  const html = Buffer.from(text);
  return {
    html,
    br: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(html),
    etag: etagOf(html),
    policy: policy ? `${policy}; ${PAGE_POLICY}` : PAGE_POLICY,
  };
}
