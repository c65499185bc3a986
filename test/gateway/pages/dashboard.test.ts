import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardRoute } from '../../../gateway/pages/dashboard.ts';
import type { Page, PublicPages } from '../../../gateway/pages/public-pages.ts';
import { type Site, startSite } from '../site.ts';

let site: Site;
let directory: string;

const toPage = (text: string): Page => ({
  html: Buffer.from(text),
  br: brotliCompressSync(text),
  gzip: gzipSync(text),
  etag: `"${text.length}"`,
  policy: "frame-ancestors 'none'",
});
const pages: PublicPages = {
  paths: ['/', '/sign-in'],
  page: async (path, language) => (path === '/' || path === '/sign-in' ? toPage(`<title>${path} ${language}`) : undefined),
  shell: (language) => toPage(`<title>shell ${language}`),
};

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'egress-front-'));
  mkdirSync(join(directory, '_app/immutable'), { recursive: true });
  mkdirSync(join(directory, '.drawn'));
  writeFileSync(join(directory, '.drawn/server.js'), 'secret');
  writeFileSync(join(directory, '200.html'), 'a page that nobody filled in');
  writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
  const script = `console.log(${JSON.stringify('x'.repeat(2_000))})`;
  writeFileSync(join(directory, '_app/immutable/app.abc123.js'), script);
  writeFileSync(join(directory, '_app/immutable/app.abc123.js.gz'), gzipSync(script));
});
let isSetUpOpen = false;
beforeAll(async () => {
  site = await startSite({ routes: () => [createDashboardRoute(directory, pages, async () => isSetUpOpen)] });
});
afterAll(async () => {
  await site.close();
  rmSync(directory, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${site.url}${path}`, { headers, redirect: 'manual' });

describe('the dashboard', () => {
  test('has the page for the first member of staff until there is one', async () => {
    isSetUpOpen = true;
    expect((await get('/set-up')).status).toBe(200);
    isSetUpOpen = false;
    expect((await get('/set-up')).status).toBe(404);
  });

  test('serves public pages, the shell where the browser renders the page, and the shell as 404 elsewhere', async () => {
    for (const [path, title, status] of [
      ['/', '/ en', 200],
      ['/sign-in', '/sign-in en', 200],
      ['/home', 'shell en', 200],
      ['/residential/plan_1', 'shell en', 200],
      ['/plans/plan_1', 'shell en', 404],
    ] as const) {
      const response = await get(path);
      expect(response.status).toBe(status);
      expect(await response.text()).toBe(`<title>${title}`);
      expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
    }
    expect((await get('/favicon.svg')).headers.get('content-security-policy')).toBeNull();
  });

  test.each([
    [{}, 'en'],
    [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
    [{ 'accept-language': 'fr, en;q=0.3, de;q=0.7' }, 'de'],
    [{ 'accept-language': 'fr' }, 'en'],
    [{ 'accept-language': 'de', cookie: 'a=b; language=en' }, 'en'],
    [{ 'accept-language': 'en', cookie: 'language=de' }, 'de'],
    [{ 'accept-language': 'en', cookie: 'language=xx' }, 'en'],
  ])('with %j speaks %s', async (headers, language) => {
    expect(await (await get('/', headers as Record<string, string>)).text()).toBe(`<title>/ ${language}`);
  });

  test('answers 304 for a cached page, and compresses pages as the client accepts it', async () => {
    const { headers } = await get('/');
    expect((await get('/', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
    for (const coding of ['br', 'gzip']) {
      const response = await get('/', { 'accept-encoding': coding });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(await response.text()).toBe('<title>/ en');
    }
  });

  test.each(['/200.html', '/.drawn/server.js', '/.drawn/pages.json'])('hands out no %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('serves hashed assets as immutable, and compressed where a compressed file exists', async () => {
    const response = await get('/_app/immutable/app.abc123.js', { 'accept-encoding': 'gzip' });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toContain('console.log');
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '//etc/passwd', '/.env', '/%00', '/%zz'])(
    '%s leads nowhere else',
    async (path) => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        request({ host: '127.0.0.1', port: new URL(site.url).port, path }, (response) => {
          let text = '';
          response
            .on('data', (chunk) => (text += chunk))
            .on('end', () =>
              text.includes('"name": "egress"') || text.includes('root:') ? reject(new Error(text)) : resolve(response.statusCode),
            );
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBeLessThan(500);
    },
  );

  test('gives its files the security headers of every answer', async () => {
    for (const path of ['/', '/favicon.svg']) expect((await get(path)).headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('takes no POST', async () => {
    expect((await fetch(`${site.url}/plans`, { method: 'POST' })).status).toBe(405);
  });
});
