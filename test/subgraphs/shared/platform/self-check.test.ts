import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, HOUR, TestClock, systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { silentLog } from '#platform/log.ts';
import { checkSelf } from '#platform/self-check.ts';
import { readConfig } from '../../../../configuration.ts';
import { certify } from '../../../kit/certificate.ts';
import { type TestDatabase, createTestDatabase } from '../../../kit/database.ts';

let directory: string;
let database: TestDatabase;
let orm: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  directory = mkdtempSync(`${tmpdir()}/egress-check-`);
  database = await createTestDatabase();
  orm = await openDatabase({ url: database.url, entities: [], pool: 2, log: silentLog });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const look = (environment: Record<string, string>, clock?: Clock) => lookAt(readConfig({ DATA_DIR: directory, ...environment }), clock);

async function lookAt(config: Config, clock: Clock = systemClock): Promise<Record<string, boolean>> {
  const found = await checkSelf({ config, em: orm.em.fork() as EntityManager, clock });
  return Object.fromEntries(found.map(({ vendor, what, ok }) => [`${vendor} ${what}`, ok]));
}
const GOOD = { 'database version': true, 'database clock': true, 'disk room': true, 'address https': true, 'address name': true };

test('a machine as it should be has nothing wrong', async () => {
  expect(await look({})).toMatchObject(GOOD);
});

test('a clock that goes wrong, and a pool beyond what the server takes, are named', async () => {
  expect(await look({}, new TestClock(new Date(Date.now() + HOUR)))).toMatchObject({ 'database clock': false });
  expect(await look({ DATABASE_POOL: '5000' })).toMatchObject({ 'database connections': false });
});

test('an address without an encrypted way is refused in production alone', async () => {
  const config = { ...readConfig({ DATA_DIR: directory, PUBLIC_URL: 'http://localhost:1' }), NODE_ENV: 'production' as const };
  expect(await lookAt(config)).toMatchObject({ 'address https': false });
});

test.each([
  ['trusted and new', 30, true, true],
  ['trusted and about to end', 5, true, false],
  ['self-signed', 30, false, false],
])('a certificate that is %s is judged as browsers would', async (_, days, isTrusted, ok) => {
  const { certFile, keyFile } = certify(directory, 'localhost', days);
  const cert = readFileSync(certFile, 'utf8');
  const before = getCACertificates('default');
  if (isTrusted) setDefaultCACertificates([...before, cert]);
  const server = createServer({ cert, key: readFileSync(keyFile) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    expect(await look({ PUBLIC_URL: `https://localhost:${port}` })).toMatchObject({ 'address https': true, 'address certificate': ok });
  } finally {
    setDefaultCACertificates(before);
    server.close();
  }
});
