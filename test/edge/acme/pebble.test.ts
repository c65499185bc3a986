// A node's certificate by ACME, from a real authority: ordered, proved on the wire, taken up, renewed by the clock, with customers connected all the while.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect as connectRaw } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { type TLSSocket, connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import type { AcmeSettings } from '../../../edge/acme/acme-setting.ts';
import { CertificateKeeper, type CertificateUser } from '../../../edge/acme/certificate-keeper.ts';
import { CertificateStore } from '../../../edge/acme/certificate-store.ts';
import { startWorkers } from '../../../edge/workers.ts';
import { freePorts } from '../../kit/ports.ts';
import { MemoryLedger } from '../memory-ledger.ts';
import { PUBLIC, type Target, type World, connectHead, localExit, startEcho, startWorld } from '../world.ts';
import { HAS_PEBBLE, type Pebble, startPebble } from './pebble.ts';

const NAME = 'proxy.example';
const NEVER_MS = 2 ** 31 - 1;

let pebble: Pebble;
let root: string;
let folder: string;
let clock: TestClock;
let store: CertificateStore;
const opened: { close(): Promise<unknown> }[] = [];

const settingsOf = (over: Partial<AcmeSettings> = {}): AcmeSettings => ({
  names: [NAME],
  directory: pebble.directory,
  ca: readFileSync(pebble.caFile, 'utf8'),
  ...over,
});
/** It looks when it is told to. */
function keep(user: CertificateUser, over: Partial<AcmeSettings> = {}): CertificateKeeper {
  const keeper = new CertificateKeeper({ settings: settingsOf(over), store, user, clock, log: silentLog, lookMs: NEVER_MS });
  opened.push(keeper);
  return keeper;
}
const nobody: CertificateUser = { followOrder: async () => {} };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'egress-acme-'));
  clock = new TestClock(new Date());
  store = new CertificateStore(join(folder, 'acme'));
});
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

const dial = (port: number, servername = NAME): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername, ca: root }, () => resolve(socket));
    socket.once('error', reject);
  });
const serialAt = async (port: number): Promise<string> => {
  const socket = await dial(port);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
};
/** The client's first message comes a byte at a time. */
async function serialInBytes(port: number): Promise<string> {
  const raw = connectRaw({ port, host: '127.0.0.1', noDelay: true });
  await once(raw, 'connect');
  const bytewise = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      for (const byte of chunk) raw.write(Buffer.of(byte));
      done();
    },
  });
  raw.on('data', (bytes: Buffer) => void bytewise.push(bytes)).on('close', () => void bytewise.push(null));
  const socket = connect({ socket: bytewise, servername: NAME, ca: root });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  raw.destroy();
  return serialNumber;
}
const until = (socket: TLSSocket, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = '';
    const look = (bytes: Buffer) => {
      seen += bytes.toString('latin1');
      if (!seen.includes(text)) return;
      socket.off('data', look);
      resolve(seen);
    };
    socket.on('data', look).once('close', () => reject(new Error(`closed after ${seen}`)));
  });

describe.skipIf(!HAS_PEBBLE)('with pebble', () => {
  beforeAll(async () => {
    pebble = await startPebble();
    root = await pebble.root();
  });
  afterAll(() => pebble?.close());

  async function secureWorld(ports: readonly number[]): Promise<World> {
    const secure = { ...store.files, listen: ports.map((port) => ({ address: '127.0.0.1', port })), ordered: true };
    const world = await startWorld({ secure });
    opened.push(world);
    return world;
  }

  test('a node without a certificate gets one by tls-alpn-01 on its own port, and renews it after two thirds of its life, tunnels open', async () => {
    const world = await secureWorld([pebble.tlsPort]);
    await expect(dial(pebble.tlsPort)).rejects.toThrow();
    const keeper = keep(world.edge);
    await keeper.look();
    expect(keeper.figures()).toEqual({ ends: expect.any(Date), failures: 0 });
    const echo: Target = await startEcho();
    opened.push(echo);
    world.route('target.example', [PUBLIC], echo.endpoint);
    world.ledger.plan();
    const tunnel = await dial(pebble.tlsPort);
    tunnel.write(connectHead(`target.example:${echo.endpoint.port}`, 'user1-country-de'));
    await until(tunnel, '\r\n\r\n');
    const first = await serialAt(pebble.tlsPort);

    const { validFrom, validTo } = store.certificate() ?? expect.unreachable();
    const twoThirds = validFrom.getTime() + ((validTo.getTime() - validFrom.getTime()) * 2) / 3;
    clock.set(new Date(twoThirds - MINUTE));
    await keeper.look();
    expect(await serialAt(pebble.tlsPort)).toBe(first);
    clock.set(new Date(twoThirds));
    await keeper.look();
    const second = await serialAt(pebble.tlsPort);
    expect(second).not.toBe(first);
    tunnel.write('still here');
    expect(await until(tunnel, 'still here')).toContain('still here');
    tunnel.destroy();
  });

  test('what is kept is for the node alone, and a node that starts again orders nothing', async () => {
    const world = await secureWorld([pebble.tlsPort]);
    await keep(world.edge).look();
    const kept = readdirSync(join(folder, 'acme'));
    expect(kept.toSorted()).toEqual(['account.json', 'certificate.pem', 'orders.json']);
    expect(kept.map((name) => statSync(join(folder, 'acme', name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    const before = await serialAt(pebble.tlsPort);
    await keep(world.edge).look();
    expect(await serialAt(pebble.tlsPort)).toBe(before);
    await keep(world.edge, { names: [NAME, 'other.example'] }).look();
    expect(store.certificate()?.names.toSorted()).toEqual(['other.example', NAME]);
  });

  test('while a challenge is open, customers are served on the same port as ever, however their first message is cut', async () => {
    const world = await secureWorld([pebble.tlsPort]);
    await keep(world.edge).look();
    const seen: string[] = [];
    const watched: CertificateUser = {
      async followOrder(challenges) {
        await world.edge.followOrder(challenges);
        if (challenges.length > 0) seen.push(await serialAt(pebble.tlsPort), await serialInBytes(pebble.tlsPort));
      },
    };
    await keep(watched, { names: [NAME, 'other.example'] }).look();
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    expect(store.certificate()?.names).toContain('other.example');
  });

  test('the workers of a node share one order: each answers the challenge, and has the certificate when it is here', async () => {
    const ledger = new MemoryLedger();
    opened.push({ close: async () => ledger.close() });
    const workers = await startWorkers({
      count: 3,
      controlPlane: ledger.controlPlane(),
      log: silentLog,
      logLevel: 'silent',
      exits: [localExit(11)],
      listen: [{ address: '127.0.0.1', port: await freePorts(1) }],
      secure: { ...store.files, listen: [{ address: '127.0.0.1', port: pebble.tlsPort }], ordered: true },
    });
    opened.push({ close: () => workers.end(0) });
    const keeper = keep(workers);
    await keeper.look();
    expect(keeper.figures()).toEqual({ ends: expect.any(Date), failures: 0 });
    const serials = await Promise.all(Array.from({ length: 30 }, () => serialAt(pebble.tlsPort)));
    expect(new Set(serials).size).toBe(1);
    const { validTo } = store.certificate() ?? expect.unreachable();
    clock.set(validTo);
    await keeper.look();
    const renewed = await Promise.all(Array.from({ length: 30 }, () => serialAt(pebble.tlsPort)));
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]).not.toBe(serials[0]);
  });

  test('http-01 on a port of its own, which is open as long as the order; an address too', async () => {
    const keeper = keep(nobody, { names: [NAME, '127.0.0.1'], httpListen: [{ address: '127.0.0.1', port: pebble.httpPort }] });
    await keeper.look();
    expect(store.certificate()?.names.toSorted()).toEqual(['127.0.0.1', NAME]);
    await expect(fetch(`http://127.0.0.1:${pebble.httpPort}/`)).rejects.toThrow();
  });

  test('a name that cannot be proved is tried again later and later, not at each look, nor at each start', async () => {
    const port = await freePorts(1);
    const keeper = keep(nobody, { httpListen: [{ address: '127.0.0.1', port }] });
    await keeper.look();
    expect(keeper.figures()).toEqual({ ends: undefined, failures: 1 });
    clock.advance(14 * MINUTE);
    await keeper.look();
    await keep(nobody, { httpListen: [{ address: '127.0.0.1', port }] }).look();
    expect(store.orders()?.failures).toBe(1);
    clock.advance(MINUTE);
    await keeper.look();
    expect(keeper.figures().failures).toBe(2);
    clock.advance(29 * MINUTE);
    await keeper.look();
    expect(keeper.figures().failures).toBe(2);
    const mended = keep(nobody, { httpListen: [{ address: '127.0.0.1', port: pebble.httpPort }] });
    clock.advance(HOUR);
    await mended.look();
    expect(mended.figures()).toEqual({ ends: expect.any(Date), failures: 0 });
  });
});

describe.skipIf(!HAS_PEBBLE)('with pebble that knows its customers', () => {
  const SECRET = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
  let httpListen: AcmeSettings['httpListen'];
  beforeAll(async () => {
    pebble = await startPebble({ external: { 'kid-1': SECRET } });
    httpListen = [{ address: '127.0.0.1', port: pebble.httpPort }];
  });
  afterAll(() => pebble?.close());

  test('an account that belongs to one outside ACME gets its certificate; without that, or with a wrong secret, none', async () => {
    const without = keep(nobody, { httpListen });
    await without.look();
    clock.advance(DAY_MS);
    const wrong = keep(nobody, { httpListen, external: { keyId: 'kid-1', hmacKey: `A${SECRET.slice(1)}` } });
    await wrong.look();
    expect([without.figures(), wrong.figures()].map(({ ends }) => ends)).toEqual([undefined, undefined]);
    clock.advance(DAY_MS);
    const right = keep(nobody, { httpListen, external: { keyId: 'kid-1', hmacKey: SECRET } });
    await right.look();
    expect(right.figures()).toEqual({ ends: expect.any(Date), failures: 0 });
  });
});
const DAY_MS = 24 * HOUR;

test.runIf(!HAS_PEBBLE)('pebble is not installed here: nothing was tried against an authority (apt-get install pebble)', () => {
  expect(HAS_PEBBLE).toBe(false);
});
