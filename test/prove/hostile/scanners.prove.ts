// Third-party scanners and slow clients from Debian packages, one after another against the whole platform: no request causes a 5xx fault, and a customer
// is served all the time. A program that is not installed is skipped with a message.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StackWorld, startStackWorld } from '../../rest-adapter/stack-world.ts';
import { call } from '../../rest-adapter/world.ts';
import { SCALE, say, scaled } from '../scale.ts';
import { keepDoing, toText } from './good-customer.ts';

/** Seconds of each scan. */
const SECONDS = scaled(60, 2);
const CONNECTIONS = String(scaled(400, 40));

interface Target {
  url: string;
  key: string;
  plan: string;
  words: string;
  folder: string;
}
type Scanner = { name: string; program: string; args: (target: Target) => string[]; wholeOnly?: boolean };

/** The modes of `slowhttptest`: headers, bodies, reading (32 bytes of a small window every second, as a phone with a bad connection does). */
const slow = (name: string, path: string, ...mode: string[]): Scanner => ({
  name: `slow ${name}`,
  program: 'slowhttptest',
  args: ({ url }) => [...mode, '-c', CONNECTIONS, '-r', '100', '-i', '2', '-l', String(SECONDS), '-u', `${url}${path}`],
});

const SCANNERS: readonly Scanner[] = [
  slow('headers', '/', '-H'),
  slow('bodies', '/graphql', '-B', '-s', '8192', '-t', 'POST', '-f', 'application/json'),
  slow('readings', '/', '-X', '-w', '256', '-y', '512', '-n', '1', '-z', '32', '-k', '3'),
  {
    name: 'paths that shops forget',
    program: 'ffuf',
    args: ({ url, words }) => ['-s', '-mc', 'all', '-t', '10', '-maxtime', String(SECONDS), '-w', words, '-u', `${url}/FUZZ`],
  },
  {
    name: 'parameters of /v1',
    program: 'ffuf',
    args: ({ url, words, key, plan }) => [
      ...['-s', '-mc', 'all', '-t', '4', '-maxtime', String(SECONDS), '-w', words, '-H', `Authorization: Bearer ${key}`],
      ...['-u', `${url}/v1/residential/${plan}/proxies?sticky=true&pool=FUZZ&quantity=1`],
    ],
  },
  {
    name: 'injection into /v1',
    program: 'sqlmap',
    wholeOnly: true,
    args: ({ url, key, plan, folder }) => [
      ...['--batch', '--disable-coloring', '--level', '2', '--technique', 'BET', '--threads', '2', '--timeout', '5', '--retries', '0'],
      ...['--output-dir', folder, '--headers', `Authorization: Bearer ${key}`, '-p', 'pool,city', '--ignore-code', '*'],
      ...['-u', `${url}/v1/residential/${plan}/proxies?sticky=true&pool=DE&quantity=1&city=Berlin`],
    ],
  },
  {
    name: 'pages and forms',
    program: 'wapiti',
    wholeOnly: true,
    args: ({ url, folder }) => [
      ...[
        '-u',
        `${url}/`,
        '--flush-session',
        '--store-session',
        folder,
        '--max-scan-time',
        String(SECONDS),
        '-m',
        'sql,xss,exec,file,crlf',
      ],
      ...['-f', 'json', '-o', join(folder, 'report.json')],
    ],
  },
];

/** Names of files and folders that scanners try, and values that break parsers. */
const WORDS = [
  ...[
    '.git/HEAD',
    '.env',
    '.htaccess',
    'wp-login.php',
    'admin',
    'phpinfo.php',
    'server-status',
    'actuator/env',
    'api/v1',
    'graphql?query=%7B__typename%7D',
  ],
  ...[
    '../../etc/passwd',
    '%2e%2e/%2e%2e/etc/passwd',
    '..%5c..%5cwindows',
    '%00',
    '%ff',
    '%c0%ae',
    '%u002e',
    "'",
    '"',
    '`id`',
    '$(id)',
    '%0d%0aX: y',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '-1',
    '1e309',
    '0x7fffffff',
    'a'.repeat(4_000),
    '%E2%80%AE',
    '%F0%9F%92%A9',
    '{{7*7}}',
    '<script>',
  ],
];

let world: StackWorld;
let target: Target;
beforeAll(async () => {
  world = await startStackWorld();
  const folder = mkdtempSync(join(tmpdir(), 'egress-scan-'));
  const words = join(folder, 'words');
  writeFileSync(words, `${WORDS.join('\n')}\n`);
  target = { url: world.url, key: await world.key(), plan: world.plans.premium, words, folder };
});
afterAll(async () => {
  rmSync(target.folder, { recursive: true, force: true });
  await world.close();
});

const isInstalled = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Requests that were answered with a server error; a 503 only means too many requests. */
async function faults(): Promise<Record<string, number>> {
  const { values } = await world.stack.platform.metrics.requests.get();
  const ours = values.filter(({ labels }) => Number(labels.status) >= 500 && Number(labels.status) !== 503);
  return Object.fromEntries(ours.map(({ labels, value }) => [`${labels.route} ${labels.status}`, value]));
}

async function scan({ program, args }: Scanner): Promise<string> {
  const child = spawn(program, args(target), { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  // Some scanners have no time limit.
  const bound = setTimeout(() => child.kill('SIGKILL'), (SECONDS + 30) * 1_000);
  await once(child, 'close');
  clearTimeout(bound);
  return text;
}

test.for(SCANNERS)('$program, $name: nothing breaks, and a customer is served', async (scanner, { skip }) => {
  if (scanner.wholeOnly && SCALE < 1) return skip('only at whole size');
  if (!isInstalled(scanner.program)) return skip(`${scanner.program} is not installed: apt-get install ${scanner.program}`);
  const key = await world.key();
  let over = false;
  const scanning = scan(scanner).finally(() => (over = true));
  const customer = await keepDoing(
    async () => {
      const { status } = await call(world, '/v1/residential', key);
      return status === 200 ? undefined : `answered ${status}`;
    },
    600,
    () => over,
  );
  const text = await scanning;
  say(`${scanner.program}, ${scanner.name}: ${toText(customer)}`);
  expect(Object.fromEntries(customer.faults)).toEqual({});
  expect(customer.count).toBeGreaterThan(0);
  expect(await faults()).toEqual({});
  // How sqlmap reports a finding; it says "might not be injectable" and the like about everything else.
  expect(text).not.toMatch(/is vulnerable|appears to be .* injectable|the following injection point|DISCONNECTED/i);
});
