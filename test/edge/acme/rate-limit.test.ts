// An authority that has had enough: Let's Encrypt answers 429 `rateLimited` with Retry-After (https://letsencrypt.org/docs/rate-limits/), which pebble never does.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { CertificateKeeper } from '../../../edge/acme/certificate-keeper.ts';
import { CertificateStore } from '../../../edge/acme/certificate-store.ts';
import { certify } from '../../kit/certificate.ts';

const opened: (() => unknown)[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'egress-limited-'));
});
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Counts the accounts that are asked for. */
async function startLimited(seconds: number): Promise<{ directory: string; ca: string; asked(): number }> {
  const { certFile, keyFile } = certify(folder, '127.0.0.1');
  let asked = 0;
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    response.setHeader('replay-nonce', `nonce-${asked}`);
    if (request.url === '/dir')
      return void response.end(JSON.stringify({ newNonce: at('nonce'), newAccount: at('account'), newOrder: at('order') }));
    if (request.url === '/nonce') return void response.end();
    asked++;
    response.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': String(seconds) });
    response.end(JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many new accounts' }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const at = (path: string) => `https://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
  opened.push(
    () => void server.close(),
    () => void server.closeAllConnections(),
  );
  return { directory: at('dir'), ca: readFileSync(certFile, 'utf8'), asked: () => asked };
}

test('nothing is asked again before the time that the authority has named', async () => {
  const authority = await startLimited(36 * 3_600);
  const clock = new TestClock();
  const said: unknown[] = [];
  const keeper = new CertificateKeeper({
    settings: { names: ['proxy.example'], directory: authority.directory, ca: authority.ca },
    store: new CertificateStore(folder),
    user: { followOrder: async () => {} },
    clock,
    log: { ...silentLog, error: (facts: unknown) => void said.push(facts) } as typeof silentLog,
    lookMs: 2 ** 31 - 1,
  });
  opened.push(() => keeper.close());
  await keeper.look();
  expect(said).toEqual([expect.objectContaining({ error: expect.stringContaining('rateLimited: too many new accounts') })]);
  clock.advance(36 * HOUR - MINUTE);
  await keeper.look();
  expect(authority.asked()).toBe(1);
  clock.advance(MINUTE);
  await keeper.look();
  expect(authority.asked()).toBe(2);
});
