// A real Chromium for the tests, the machine's own: nothing is downloaded.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

/** Works as root and in containers, and asks no outside host for anything. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser to drive; without one, a sentence with the command that installs it. */
export function chromiumPath(): string {
  const named = process.env['CHROMIUM_PATH'];
  const found = [...(named ? [named] : []), ...PLACES].find((path) => existsSync(path));
  if (found === undefined || (named && found !== named)) {
    throw new Error(
      'These tests drive a real Chromium and found none. Install it with `apt-get install -y chromium`, or set CHROMIUM_PATH.',
    );
  }
  return found;
}

export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(fileURLToPath(new URL('../../web/build/200.html', import.meta.url)))) {
    throw new Error('The dashboard is not built: run `npm run build:web`.');
  }
  return chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** What no page may do: errors of scripts, refusals by the content security policy, requests to other hosts. */
  complaints: string[];
}

/** A fresh profile with one page. `home`: the origin that pages may talk to; `also` are origins that links may lead to. */
export async function visit(
  browser: Browser,
  home: string,
  options: BrowserContextOptions & { also?: readonly string[] } = {},
): Promise<Visit> {
  const { also = [], ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
  context.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  const known = new Set([home, ...also].map((url) => new URL(url).origin));
  context.on('weberror', (error) => complaints.push(`script: ${error.error().message}`));
  context.on('console', (message) => {
    if (/Content Security Policy|Content-Security-Policy/i.test(message.text())) complaints.push(`policy: ${message.text()}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !known.has(url.origin)) complaints.push(`outside: ${request.url()}`);
  });
  return { context, page: await context.newPage(), complaints };
}

/** The same, closed with the test. */
export async function visitInTest(...parameters: Parameters<typeof visit>): Promise<Visit> {
  const opened = await visit(...parameters);
  onTestFinished(() => opened.context.close());
  return opened;
}
