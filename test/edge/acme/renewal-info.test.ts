// The renewal information of an authority (RFC 9773). The pebble that is installed may have none (before 2.5): a directory in front of it adds that, and pebble
// gives the certificates.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import { AuthorityKeyIdentifierExtension, X509CertificateGenerator } from '@peculiar/x509';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, TestClock, after } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { CertificateKeeper } from '../../../edge/acme/certificate-keeper.ts';
import { CertificateStore } from '../../../edge/acme/certificate-store.ts';
import { type OrderWish, orderCertificate } from '../../../edge/acme/order.ts';
import { renewalIdOf } from '../../../edge/acme/renewal-info.ts';
import { AcmeProblem, type AcmeSession } from '../../../edge/acme/session.ts';
import { certify } from '../../kit/certificate.ts';
import { HAS_PEBBLE, type Pebble, startPebble } from './pebble.ts';

test('a certificate is named by its issuer’s key and its serial number, as RFC 9773, 4.1 writes its example', async () => {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '0087654321',
    name: 'CN=example',
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new AuthorityKeyIdentifierExtension('69885b6b87464041e1b37b847ba0ae2cde01c8d4')],
  });
  expect(renewalIdOf(`key before\n${certificate.toString('pem')}`)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});

test('an order says which certificate it takes the place of, and is one more where the authority does not take that', async () => {
  const asked: object[] = [];
  const session = {
    directory: { newOrder: 'https://ca.example/order' },
    post: async (_: string, payload: object) => {
      asked.push(payload);
      throw new AcmeProblem(asked.length === 1 ? 'alreadyReplaced' : 'rateLimited', 'no');
    },
  } as unknown as AcmeSession;
  const wish = { names: ['a.example'], replaces: 'issuer.serial' } as unknown as OrderWish;
  await expect(orderCertificate(session, wish)).rejects.toThrow('rateLimited');
  const identifiers = [{ type: 'dns', value: 'a.example' }];
  expect(asked).toEqual([{ identifiers, replaces: 'issuer.serial' }, { identifiers }]);
});

describe.skipIf(!HAS_PEBBLE)('with pebble behind it', () => {
  let folder: string;
  let pebble: Pebble;
  let clock: TestClock;
  let store: CertificateStore;
  let keeper: CertificateKeeper;
  /** What it says of a certificate, and how often it was asked. */
  let suggests: { status?: number; body: unknown; retryAfter?: string };
  let asked: string[];
  const opened: (() => unknown)[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'egress-renewal-info-'));
    pebble = await startPebble();
    const ca = readFileSync(pebble.caFile, 'utf8');
    const { certFile, keyFile } = certify(folder, '127.0.0.1');
    const own = readFileSync(certFile, 'utf8');
    asked = [];
    suggests = { body: {} };
    const server = createServer({ cert: own, key: readFileSync(keyFile) }, (incoming, response) => {
      const path = incoming.url ?? '';
      if (path === '/dir') {
        request(pebble.directory, { ca }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.on('end', () => response.end(JSON.stringify({ ...JSON.parse(text), renewalInfo: at('/renewal-info') })));
        }).end();
        return;
      }
      asked.push(path.replace('/renewal-info/', ''));
      const { status = 200, body, retryAfter } = suggests;
      response.writeHead(status, { 'content-type': 'application/json', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const at = (path: string) => `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    clock = new TestClock(new Date());
    store = new CertificateStore(join(folder, 'acme'));
    keeper = new CertificateKeeper({
      settings: {
        names: ['proxy.example'],
        directory: at('/dir'),
        ca: `${own}${ca}`,
        httpListen: [{ address: '127.0.0.1', port: pebble.httpPort }],
      },
      store,
      user: { followOrder: async () => {} },
      clock,
      log: silentLog,
      lookMs: 2 ** 31 - 1,
    });
    opened.push(
      () => keeper.close(),
      () => void server.close(),
      () => void server.closeAllConnections(),
    );
    await keeper.look();
    expect(keeper.figures().failures).toBe(0);
  });
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
    await pebble?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const now = () => store.certificate()?.chain ?? '';
  const within = (start: number, end: number) => ({
    suggestedWindow: { start: after(clock.now(), start).toISOString(), end: after(clock.now(), end).toISOString() },
  });
  const lookAt = (ms: number) => {
    clock.advance(ms);
    return keeper.look();
  };

  test('it is renewed within the window that is suggested, long before two thirds of its life, and asked no oftener than it says', async () => {
    const first = now();
    suggests = { body: within(10 * DAY, 11 * DAY), retryAfter: '21600' };
    await lookAt(MINUTE);
    expect(asked).toEqual([renewalIdOf(first)]);
    await lookAt(6 * HOUR - MINUTE);
    expect(asked).toHaveLength(1);
    await lookAt(MINUTE);
    expect(asked).toHaveLength(2);
    await lookAt(9 * DAY);
    expect(now()).toBe(first);
    await lookAt(2 * DAY);
    expect(now()).not.toBe(first);
    await lookAt(MINUTE);
    expect(asked.at(-1)).toBe(renewalIdOf(now()));
  });

  test('a window that is over, as before a revocation, renews it at once', async () => {
    const first = now();
    suggests = { body: { ...within(-2 * DAY, -DAY), explanationURL: 'https://ca.example/incident' } };
    await lookAt(MINUTE);
    // An authority that says so of every certificate gets an order an hour.
    expect(now()).toBe(first);
    await lookAt(HOUR);
    expect(now()).not.toBe(first);
  });

  test.each([
    ['is away', () => ({ status: 503, body: {} })],
    ['says nothing of a window', () => ({ body: { hello: 1 } })],
    ['names a window that ends before it starts', () => ({ body: within(2 * DAY, DAY) })],
    ['names a window after its end', () => ({ body: within(400 * DAY, 401 * DAY) })],
  ])('where the authority %s, it is renewed in time all the same', async (_, says) => {
    const first = now();
    suggests = says();
    await lookAt(MINUTE);
    const { validFrom, validTo } = store.certificate() ?? expect.unreachable();
    const life = validTo.getTime() - validFrom.getTime();
    clock.set(after(validFrom, (life * 2) / 3 - MINUTE));
    await keeper.look();
    expect(now()).toBe(first);
    clock.set(after(validFrom, life * 0.9));
    await keeper.look();
    expect(now()).not.toBe(first);
  });
});
