// docs/proxmox.md is followed to the letter: the commands of its blocks run in order, those for a node in the sandbox's shell, those of the platform as processes
// with the variables that the guide sets, over HTTPS with the authority that it copies.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECOND, TestClock } from '#platform/clock.ts';
import { createRandom } from '../../sandbox/random.ts';
import { type SandboxHypervisor, startHypervisor } from '../../sandbox/hypervisor/hypervisor.ts';
import { certify } from '../kit/certificate.ts';
import { runChild } from '../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';
import { type ImageMirror, startImageMirror } from '../kit/image-mirror.ts';

vi.setConfig({ testTimeout: 240_000 });

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BLOCKS = [...readFileSync(`${ROOT}docs/proxmox.md`, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };

let folder: string;
let mirror: ImageMirror;
let database: TestDatabase;
let hypervisor: SandboxHypervisor;
let certFile: string;
let moving: NodeJS.Timeout;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egress-proxmox-'));
  [mirror, database] = await Promise.all([startImageMirror(), createTestDatabase()]);
  const clock = new TestClock();
  const files = certify(folder, 'localhost');
  certFile = files.certFile;
  const tls = { key: readFileSync(files.keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  const place = { host: '127.0.0.1', port: 0, guestPort: 0, dataDir: undefined, snippetsDir: join(folder, 'snippets'), bare: true };
  hypervisor = await startHypervisor({ ...place, tls, clock, random: createRandom(1), token: 'root@pam!t=none', vendors: () => VENDORS });
  // The processes wait for tasks by a clock of their own.
  moving = setInterval(() => clock.advance(30 * SECOND), 100);
});
afterEach(async () => {
  clearInterval(moving);
  await hypervisor.close();
  await mirror.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The program of a line `npm run --silent NAME -- WORDS`, run to its end. */
async function runPlatform(line: string, variables: Record<string, string>): Promise<{ code: unknown; text: string }> {
  const [, name = '', words = ''] = /^npm run --silent (\S+)(?: -- (.*))?$/.exec(line) ?? [];
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
  const [, file = ''] = /^node (\S+)$/.exec(scripts[name] ?? '') ?? [];
  const own = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent', PROXMOX_IMAGE_MIRROR: mirror.url };
  const child = runChild(file, { ...own, ...variables }, words.split(' ').filter(Boolean));
  return { code: await child.ended, text: child.text() };
}

/** The variables of a block, with what the guide leaves to its reader filled in. */
const variablesOf = (block: string, secret: string): Record<string, string> =>
  Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => {
        const [, name = '', value = ''] = /^(\w+)='?(.*?)'?$/.exec(line) ?? [];
        const filled = value
          .replace('https://pve1.example.com:8006', `https://localhost:${new URL(hypervisor.url).port}`)
          .replace('SECRET', secret)
          .replace('/etc/egress/pve-root-ca.pem', certFile)
          .replace('/mnt/pve/shared/snippets', join(folder, 'snippets'));
        return [name, filled];
      }),
  );

test.each([
  { version: '8.4.1', other: 9 },
  { version: '9.1.2', other: 8 },
])('from hosts as after their installation to templates and a content doctor, release $version', async ({ version, other }) => {
  hypervisor.upgrade(version);
  const image = join(folder, 'egress-live.iso');
  let [secret, variables, said]: [string, Record<string, string>, string[]] = ['', {}, []];
  for (const block of BLOCKS) {
    // `npm run prove -- live-system` makes the image, which takes minutes and root; here is what tells an ISO image: ECMA-119, 8.1.
    if (block.includes('live-image')) writeFileSync(image, Buffer.alloc(40_000).fill('CD001', 32_769, 32_774));
    else if (block.startsWith('PROXMOX_')) variables = variablesOf(block, secret);
    else if (block.startsWith('npm run')) {
      const { code, text } = await runPlatform(block.trim().replace('egress-live.iso', image), variables);
      said.push(text);
      if (!block.includes('doctor')) expect(code, text).toBe(0);
    } else {
      const lines = block.split('\n').filter((line) => !line.endsWith(`# release ${other}`));
      const printed = await hypervisor.shell(lines.join('\n'));
      secret = /^value (\S+)$/m.exec(printed)?.[1] ?? secret;
    }
  }
  expect(said).toHaveLength(3);
  expect(said[1]?.match(/ready, on local$/gm)).toHaveLength(3);
  expect(said[0]?.match(/ready, number \d+$/gm)).toHaveLength(9);
  const found = said[2]?.split('\n').filter((line) => line.includes('  hypervisor  ')) ?? [];
  expect(found.map((line) => /hypervisor {2}(\w+):/.exec(line)?.[1])).toEqual(
    expect.arrayContaining(['version', 'privileges', 'nodes', 'templates', 'firewall', 'consoles', 'snippets', 'backups', 'rescue']),
  );
  const missing = ['fra1', 'fra2', 'fra3'].flatMap((node) => ['ubuntu-25-04', 'windows-2022'].map((image) => `egress-${image} on ${node}`));
  expect(found.filter((line) => !line.startsWith('ok '))).toEqual([`WRONG  hypervisor  templates: missing: ${missing.join(', ')}`]);
});
