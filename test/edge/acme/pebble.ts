// Pebble, the test server of Let's Encrypt (https://github.com/letsencrypt/pebble; Debian's package `pebble`), which gives certificates by RFC 8555. It is made
// harder than a real authority: half of all good nonces are refused, and each challenge is proved on the wire.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certify } from '../../kit/certificate.ts';
import { freePorts } from '../../kit/ports.ts';

const isInstalled = (): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v pebble && command -v pebble-challtestsrv']);
    return true;
  } catch {
    return false;
  }
};
/** Where it is missing, the tests with it say so. */
export const HAS_PEBBLE = isInstalled();

export interface Pebble {
  directory: string;
  /** Its own certificate, PEM. */
  caFile: string;
  /** The ports that it looks for proofs at, instead of 80 and 443. */
  httpPort: number;
  tlsPort: number;
  /** The root of what it has signed, PEM. */
  root(): Promise<string>;
  close(): Promise<void>;
}

interface Given {
  /** Seconds. */
  validFor?: number;
  /** Wants accounts that belong to one of these key ids, by their secrets. */
  external?: Record<string, string>;
  /** Percent of good nonces that are refused. */
  noncesRefused?: number;
}

export async function startPebble({ validFor = 7_776_000, external, noncesRefused = 50 }: Given = {}): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'egress-pebble-'));
  const first = await freePorts(6);
  const [acme, management, httpPort, tlsPort, dns, names] = [0, 1, 2, 3, 4, 5].map((index) => first + index) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const { certFile, keyFile } = certify(folder, '127.0.0.1');
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${acme}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: certFile,
      privateKey: keyFile,
      httpPort,
      tlsPort,
      ocspResponderURL: '',
      certificateValidityPeriod: validFor,
      externalAccountBindingRequired: external !== undefined,
      ...(external && { externalAccountMACKeys: external }),
    },
  };
  const file = join(folder, 'pebble.json');
  writeFileSync(file, JSON.stringify(config));
  const children = [
    // Every name is this machine.
    spawn('pebble-challtestsrv', [
      ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${names}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''],
      ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
    ]),
    spawn('pebble', ['-config', file, '-dnsserver', `127.0.0.1:${dns}`, '-strict'], {
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: String(noncesRefused), PEBBLE_AUTHZREUSE: '0' },
    }),
  ];
  const ca = readFileSync(certFile, 'utf8');
  const get = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = request(url, { ca }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => resolve(body));
      });
      asked.on('error', reject).end();
    });
  const directory = `https://127.0.0.1:${acme}/dir`;
  await untilAnswered(() => get(directory), children);
  return {
    directory,
    caFile: certFile,
    httpPort,
    tlsPort,
    root: () => get(`https://127.0.0.1:${management}/roots/0`),
    async close() {
      for (const child of children) if (child.exitCode === null && child.kill()) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswered(ask: () => Promise<unknown>, children: readonly ChildProcess[]): Promise<void> {
  let said = '';
  for (const { stdout, stderr } of children)
    for (const stream of [stdout, stderr]) stream?.on('data', (bytes: Buffer) => (said = `${said}${bytes}`.slice(-2_000)));
  for (let tries = 0; tries < 200; tries++) {
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error(`pebble has ended: ${said}`);
    try {
      await ask();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  throw new Error(`pebble does not answer: ${said}`);
}
