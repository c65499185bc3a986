// The samples that the dashboard shows for a line, run as they stand, but for the address that they ask for. A program that is not installed is skipped and named.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SampleLanguage, sampleCode, sampleLanguages } from '../../web/src/lib/residential/samples.ts';
import { chromiumPath } from '../browser/browser.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
let own: OwnEdgeWorld;
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
beforeAll(async () => {
  own = await startOwnEdgeWorld();
});
afterAll(async () => {
  await own.close();
  rmSync(folder, { recursive: true });
});

type Scheme = 'http' | 'socks5';
const lineOf = (scheme: Scheme, password = own.password) =>
  `127.0.0.1:${own.edge.ports[scheme === 'http' ? 0 : 1]}:${own.plan.username}-country-any:${password}`;
const inFile = (name: string, code: string): string => {
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
};
const there = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

interface Runner {
  schemes: readonly Scheme[];
  /** Whether it can run here. */
  there(scheme: Scheme): boolean;
  print(code: string): Promise<{ stdout: string }>;
}

/** Each is found from the repository's own packages. */
const node = (code: string) => run('node', ['--input-type=module', '-e', code], { cwd: ROOT });
/** The package without browsers of its own, with the installed one; a target of this machine goes through the proxy too. */
const asInstalled = (code: string): string =>
  code
    .replace("'playwright'", "'playwright-core'")
    .replace(
      'launch({',
      `launch({ executablePath: '${chromiumPath()}', args: ['--no-sandbox', '--disable-gpu', '--proxy-bypass-list=<-loopback>'],`,
    );

const RUNNERS: Partial<Record<SampleLanguage, Runner>> = {
  curl: {
    schemes: ['http', 'socks5'],
    there: () => there('curl', '--version'),
    print: (code) => run('sh', ['-c', code.replace('curl ', "curl -sS -o /dev/null -w '%{http_code}' --noproxy '' ")]),
  },
  Python: {
    schemes: ['http', 'socks5'],
    there: (scheme) => there('python3', '-c', `import requests${scheme === 'socks5' ? ', socks' : ''}`),
    print: (code) => run('python3', [inFile('sample.py', code)]),
  },
  Node: { schemes: ['http', 'socks5'], there: () => true, print: node },
  Go: { schemes: ['http', 'socks5'], there: () => there('go', 'version'), print: (code) => run('go', ['run', inFile('sample.go', code)]) },
  Playwright: { schemes: ['http', 'socks5'], there: () => true, print: (code) => node(asInstalled(code)) },
  Scrapy: {
    schemes: ['http', 'socks5'],
    there: () => there('scrapy', 'version'),
    print: (code) => run('scrapy', ['runspider', '--loglevel', 'ERROR', inFile('spider.py', code)]),
  },
};
const CASES = Object.entries(RUNNERS).flatMap(([name, runner]) =>
  runner.schemes.map((scheme) => ({ name: name as SampleLanguage, scheme, runner })),
);

for (const { name, scheme, runner } of CASES)
  test.skipIf(!runner.there(scheme))(
    `the sample for ${name} reaches its target by a line for ${scheme}`,
    { timeout: 120_000 },
    async () => {
      const { stdout } = await runner.print(sampleCode(name, lineOf(scheme), scheme, own.site.url));
      expect(stdout.trim()).toBe('200');
    },
  );

test('a wrong password is seen by the samples', async () => {
  const wrong = sampleCode('Node', lineOf('http', 'wrong'), 'http', own.site.url);
  await expect(node(wrong)).rejects.toThrow('(407)');
});

test('each sample carries the whole line', () => {
  for (const name of sampleLanguages) {
    const code = sampleCode(name, 'proxy.example:7777:user-country-de:secret', 'socks5');
    for (const part of ['proxy.example:7777', 'user-country-de', 'secret', 'https://example.com/']) expect(code, name).toContain(part);
  }
});
