// Checks whether this machine, the database and the public address fit the platform's needs.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { sql } from 'kysely';
import { type Clock, DAY, SECOND } from './clock.ts';
import type { Config } from './config.ts';
import type { EntityManager } from './database.ts';
import { PROGRAM_VERSION } from './program-version.ts';
import { freeBytes } from './readiness.ts';
import { lookForRelease } from './release-check.ts';
import { type Finding, type VendorFinding, findingsOf } from './vendor-check.ts';

export interface SelfCheckParts {
  config: Config;
  em: EntityManager;
  clock: Clock;
}

const GB = 1_073_741_824;
const MIN_FREE_GB = 2;
const OLDEST_DATABASE = 15;
/** The allowed difference between this machine's clock and the database's: signed viewers are valid for five seconds. */
const CLOCKS_APART_MS = 2 * SECOND;
/** A certificate with automatic renewal is renewed before this many days are left. */
const RENEWED_DAYS = 14;
const PATIENCE_MS = 5 * SECOND;

/** Problems are findings; it never throws for them. */
export async function checkSelf({ config, em, clock }: SelfCheckParts): Promise<VendorFinding[]> {
  const url = new URL(config.PUBLIC_URL);
  const release = config.RELEASE_URL;
  return [
    ...(await findingsOf('database', () => lookAtDatabase(em, config, clock))),
    ...(await findingsOf('disk', () => lookAtDisk(config.DATA_DIR))),
    ...(await findingsOf('address', () => lookAtAddress(url, config, clock))),
    ...(release === undefined ? [] : await findingsOf('program', async () => [await lookForRelease(release, PROGRAM_VERSION)])),
  ];
}

async function lookAtDatabase(em: EntityManager, { DATABASE_POOL }: Config, clock: Clock): Promise<Finding[]> {
  const asked = clock.now().getTime();
  const { rows } = await sql<{ version: string; now: string; most: string; durable: boolean }>`
    select current_setting('server_version') as version, extract(epoch from clock_timestamp())::text as now,
      current_setting('max_connections') as most,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' and current_setting('full_page_writes') = 'on' as durable`.execute(
    em.getKysely(),
  );
  const [row] = rows;
  if (!row) return [];
  const between = (asked + clock.now().getTime()) / 2;
  const apart = Math.abs(Number(row.now) * SECOND - between);
  // For one process: four subgraphs, the queue, the listeners and an operator's connections.
  const needed = 5 * DATABASE_POOL + 10;
  return [
    { what: 'version', ok: Number.parseInt(row.version, 10) >= OLDEST_DATABASE, words: `PostgreSQL ${row.version}` },
    { what: 'clock', ok: apart <= CLOCKS_APART_MS, words: `${(apart / SECOND).toFixed(1)} s from this machine's` },
    { what: 'connections', ok: Number(row.most) >= needed, words: `${row.most} of at least ${needed} for one process with everything` },
    {
      what: 'durability',
      ok: row.durable,
      words: row.durable ? 'what is committed is on disk' : 'fsync, full_page_writes or synchronous_commit is off: a crash loses payments',
    },
  ];
}

async function lookAtDisk(folder: string): Promise<Finding[]> {
  const free = (await freeBytes(folder)) / GB;
  return [{ what: 'room', ok: free >= MIN_FREE_GB, words: `${free.toFixed(1)} GB are free for ${folder}` }];
}

async function lookAtAddress(url: URL, { NODE_ENV }: Config, clock: Clock): Promise<Finding[]> {
  const isEncrypted = url.protocol === 'https:';
  const found: Finding[] = [
    {
      what: 'https',
      ok: isEncrypted || NODE_ENV !== 'production',
      words: isEncrypted ? url.origin : `${url.origin} carries passwords and keys in the clear: for this machine alone`,
    },
  ];
  const addresses = await lookup(url.hostname, { all: true }).catch(() => []);
  const names = addresses.map(({ address }) => address).join(', ');
  found.push({ what: 'name', ok: names !== '', words: names === '' ? `${url.hostname} has no address` : `${url.hostname} is ${names}` });
  if (names !== '' && isEncrypted) found.push(await lookAtCertificate(url, clock));
  return found;
}

/** What is to be left of one that is renewed after two thirds of its life, however short that is. */
export const lastQuarter = (lifeMs: number): number => Math.min(RENEWED_DAYS * DAY, lifeMs / 4);

/** Checks the certificate as browsers do, host name and issuer too. `leastLeft`: less of its life is not enough. */
export const lookAtCertificate = (
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  clock: Clock,
  leastLeft: (lifeMs: number) => number = () => RENEWED_DAYS * DAY,
): Promise<Finding> =>
  new Promise((resolve) => {
    const what = 'certificate';
    const end = (ok: boolean, words: string) => {
      socket.destroy();
      resolve({ what, ok, words });
    };
    const whom = { host: hostname, port: Number(port || 443), ...(isIP(hostname) === 0 && { servername: hostname }) };
    const socket = connectTls({ ...whom, timeout: PATIENCE_MS }, () => {
      const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
      const [life, left] = [Date.parse(to) - Date.parse(from), Date.parse(to) - clock.now().getTime()];
      end(left >= leastLeft(life), `holds for ${Math.floor(left / DAY)} more days`);
    });
    socket.once('error', (error) => end(false, error.message));
    socket.once('timeout', () => end(false, `nobody answers at ${hostname}:${whom.port}`));
  });
