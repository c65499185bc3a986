// Starts the machine's installed Chromium; nothing is downloaded.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

/** Lets Chromium run as root and in containers, and without requests to outside hosts. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of the browser. Throws a sentence with the command that installs one if none is found. */
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
  /** Errors of scripts, violations of the content security policy, and requests to other hosts. */
  complaints: string[];
}

/** A new profile with one page. `home`: the origin that pages may request; `also`: origins that links may lead to. */
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

/** Like `visit`, and closes the profile at the end of the test. */
export async function visitInTest(...parameters: Parameters<typeof visit>): Promise<Visit> {
  const opened = await visit(...parameters);
  onTestFinished(() => opened.context.close());
  return opened;
}
