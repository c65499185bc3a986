// Runs each command of the guides as written, on a platform on this machine, or lists it here with the reason why it is not run.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decimalOf } from '#commerce/money.ts';
import { DAY, after, systemClock } from '#platform/clock.ts';
import { readExits } from '../../edge/exits-file.ts';
import { SANDBOX_PORTS } from '#platform/sandbox-terms.ts';
import { offerOf, payByCard, place, signUp } from '../../drill-purchase.ts';
import { COMPILED, type Child, runChild } from '../kit/child.ts';
import { PLATFORM_PORTS, freePorts } from '../kit/ports.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDES = ['install', 'backup', 'upgrade', 'run-book', 'operate'];
const OWNER = 'ada@desk.example';
const EMAIL = 'bob@desk.example';
const STOCK = 'ip,port,product,location\n192.0.2.1,8000,datacenter,Frankfurt\n';

/** The commands of a guide: lines of its code blocks, with continued lines joined and comments removed, and commands within the text. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const indented = text.split('\n').filter((line) => /^ {4}(\w+=|npm )/.test(line));
  const lines = [...blocks.flatMap((block) => block.replaceAll(/ \\\n\s*/g, ' ').split('\n')), ...indented];
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/\s+/g, ' ');
  const inText = [...prose.matchAll(/`((?:npm run --silent|COMMAND|support|prices) [^`]+)`/g)].map(([, command = '']) => command);
  return [...lines.map((line) => line.replace(/\s+#.*$/, '').trim()), ...inText].filter(Boolean);
}
const named = [...new Set(GUIDES.flatMap((guide) => commandsOf(readFileSync(`${ROOT}docs/${guide}.md`, 'utf8'))))];

/** A command, its expected output, and its exit code if not 0. The order matters: accounts exist before they are appointed, backups before a restore. */
const RUN: readonly (readonly [command: string, says: RegExp, code?: number])[] = [
  ['COMMAND subgraphs/accounts/commands/set-up-code.ts', /^\w{20}\nOnce, until .* at http:\/\/localhost:\d+\/set-up$/m],
  ['npm run --silent catalogue -- export > prices.json', /^$/],
  ['npm run --silent catalogue -- import prices.json --dry-run', /^Fields that would change: 0$/m],
  ['npm run --silent catalogue -- import prices.json', /^Fields changed: 0$/m],
  ['npm run --silent inventory -- stock', /./],
  ['prices preview EMAIL --item residential.PREMIUM --price 15%', /Z\t1: \d+\.\d\d, /],
  ['prices set EMAIL --item residential.PREMIUM --price 15% --reason "Volume"', /^acp_\w+\tresidential\.PREMIUM\t15\.00%\t/],
  ['prices list EMAIL', /\tIN_FORCE\t/],
  ['support coupon-open Autumn --amount 20% --codes AUTUMN20 --uses 100', /takes 20 % off\.\nAUTUMN20/],
  ['support announce everybody --title "New places | Neue Orte" --terms "Vienna is here." --to AT', /^ann_\w+ is shown from /m],
  ['support announcements open', /dismissed by 0\ten,de\tNew places$/m],
  ['support mail-texts all', /^order_paid\tneeds \{url\} \{title\}\tknows \{total\}$/m],
  ['support mail-text order_paid --en paid.txt', /^en: Paid: Premium, 5 GB$/m],
  ['support mail-text-try order_paid --en paid.txt', /^Sent to ada@desk\.example: en\.$/m],
  ['support mail-text-publish order_paid --en paid.txt', /^order_paid is sent by en 1 from now on\.$/m],
  ['support mail-text-withdraw order_paid', /^order_paid is sent as the program has it from now on\.$/m],
  ['support waiting transfers', /^/],
  ['support confirm-transfer ORDER --amount AMOUNT --reference BANK-7', /^ord_\w+ is (PAID|FULFILLED)\.$/m],
  ['support refund ORDER --to card --reason "It did not work for them."', /^rfnd_\w+ is \w+: \d+\.\d\d USD\.$/m],
  ['support waiting stuck', /^/],
  ['npm run --silent address-use -- 203.0.113.7 2026-01-15T12:00:00Z', /^kind\taccount\tplan/],
  ['support find EMAIL', /bob@desk\.example/],
  ['support suspend EMAIL --reason "Mails were sent that nobody had asked for."', /^bob@desk\.example is suspended\.$/m],
  ['support end-sessions EMAIL', /^Sessions ended: \d+\.$/m],
  ['support restore EMAIL --reason "It was not them."', /^bob@desk\.example is restored\.$/m],
  ['curl --silent http://127.0.0.1:4009/health/ready', /"version":"\d+\.\d+\.\d+"/],
  ['curl --silent http://127.0.0.1:4009/metrics', /^egress_build_info\{version="/m],
  ['COMMAND doctor.ts', /^ok {5}database {2}version: PostgreSQL 1\d/m],
  ['COMMAND doctor.ts --set-up', /^ok {5}card {2}webhook/m],
  ['npm run --silent doctor', /^ok {5}mail/m],
  [
    'COMMAND subgraphs/accounts/commands/support.ts appoint EMAIL --roles support --by OWNER',
    /^bob@desk\.example is a member of staff \(support\)/m,
  ],
  ['COMMAND subgraphs/static/commands/import-inventory.ts /data/stock.csv', /Addresses loaded: 1/],
  ['npm run --silent import-inventory', /Usage/, 1],
  ['kubectl -n egress exec deploy/egress -- node subgraphs/residential/commands/enrol-edge.ts fra-1', /^EDGE_KEY=/],
  ['support finance reconciliation', /^/],
  ['support disputes open', /^/],
  ['support failed-refunds', /^/],
  ['support dead-letters', /^/],
  ['support redrive all', /^/],
  ['npm run --silent support --', /Usage: npm run --silent support/, 1],
  ['npm run --silent prices --', /Usage: npm run --silent prices/, 1],
  ['npm run --silent usage-quarantine', /^/],
  ['npm run --silent verify-books', /./],
  ['npm run --silent verify-usage', /./],
  ['npm run --silent migrate -- --status', /^Pending {3}nothing$/m],
  ['npm run --silent migrate -- --dry-run', /Nothing is pending/],
  ['npm run --silent migrate', /Nothing was pending/],
  ['npm run --silent migrate -- --roles', /The roles are there/],
  ['npm run --silent backup -- --scheduled', /holds everything that was acknowledged before/],
  ['BACKUP_PASSPHRASE=... npm run --silent backup -- /backups/2026-11-23', /holds everything that was acknowledged before/],
  ['BACKUP_PASSPHRASE=... npm run --silent restore -- /backups/2026-11-23', /Restored what was acknowledged before/],
];

/** Commands that a test on this machine cannot or must not run, and why. */
const NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm run --silent backup -- --follow$/, 'runs until it is ended; `recover-to.test.ts` and `cluster-copy.test.ts` run it'],
  [/ --to 2026-11-23T20:45:00Z$/, 'needs a log; `recover-to.test.ts` restores to a moment'],
  [/ --fetch$/, 'needs a bucket; `object-store.test.ts` fetches from one'],
  [/^npm run prestart$/, 'installs packages; each test stands on what it has left'],
  [/^npm run --silent image/, '`npm run prove -- image` builds the image and sells with it'],
  [/npm run --silent restore -- \S+ --drill$/, '`restore-backup.test.ts` runs it, and `drill-purchase.test.ts` its purchase'],
  [/^support redrive ID$/, 'needs an event whose reaction failed; `all` takes none as well'],
  [/^install -/, 'writes files of the system; `files.test.ts` reads the same ones'],
  [/^docker compose --env-file egress\.env /, 'images of others are fetched; `files.test.ts` holds the compose file to the code'],
  [/^echo '\[.*\]' > exits\.json$/, 'the exits below are read as a node reads them'],
  [/^cd \/opt\/egress && (npm|sudo)/, 'a folder of the system, as another user; its program is run above'],
  [/^(useradd|apt|systemctl|sudo -u postgres psql) /, 'changes users, packages, services or the cluster of the system'],
  [/^kubectl (apply|-n egress rollout)/, 'needs a cluster; `files.test.ts` holds the manifests to the code'],
];

test('every command of the guides is run here or has a reason, and every entry here is in a guide', () => {
  const run = RUN.map(([command]) => command);
  expect(named.filter((command) => !run.includes(command) && !NOT_RUN.some(([known]) => known.test(command)))).toEqual([]);
  expect(run.filter((command) => !named.includes(command))).toEqual([]);
  expect(NOT_RUN.filter(([known]) => !named.some((command) => known.test(command))).map(([, reason]) => reason)).toEqual([]);
});

const { scripts: SCRIPTS } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };

test('every program and script that a command names exists', () => {
  const files = named.flatMap((command) => command.match(/[\w/-]+\.ts\b/g) ?? []);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
  const asked = named.flatMap((command) => [...command.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script));
  expect(asked.filter((script) => !(script in SCRIPTS))).toEqual([]);
});

let folder: string;
let platform: Child;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'egress-guides-'));
  const port = await freePorts(PLATFORM_PORTS);
  environment = {
    ...COMPILED,
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    EDGE: 'false',
    DEMO: 'false',
    BACKUP_DIR: join(folder, 'scheduled'),
    BACKUP_PASSPHRASE: 'correct horse battery',
  };
  platform = runChild('main.ts', environment);
  await platform.said('Ctrl-C stops it');
  writeFileSync(join(folder, 'stock.csv'), STOCK);
  writeFileSync(join(folder, 'paid.txt'), 'Paid: {title}\n\nThank you.\n\nOpen the order: {url}\n');
});
afterAll(async () => {
  platform?.process.kill('SIGTERM');
  await platform?.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a guide's command in the checkout, with its placeholders filled in. */
function runWords(command: string, more: Record<string, string> = {}): Promise<{ code: number | null; text: string }> {
  const words = command
    .replace(/^COMMAND /, 'node ')
    // As npm runs the script, which other commands show that it does.
    .replace(/^(support|prices) (.*)/, (_, name: string, rest: string) => `${SCRIPTS[name]} ${rest} --by ${OWNER}`)
    .replace(/^kubectl .* -- /, '')
    .replaceAll('OWNER', OWNER)
    .replaceAll('EMAIL', EMAIL)
    .replace(' ORDER ', ` ${order?.id} `)
    .replace(' AMOUNT ', ` ${decimalOf(order?.total.amountMinor ?? 0)} `)
    .replace(/ AT\b/, ` ${after(systemClock.now(), DAY).toISOString()}`)
    .replace(' paid.txt', ` ${join(folder, 'paid.txt')}`)
    .replace(' prices.json', ` ${join(folder, 'prices.json')}`)
    .replace(':4009/', `:${Number(environment['PORT']) + 9}/`)
    .replace('BACKUP_PASSPHRASE=... ', '')
    .replace('/data/stock.csv', join(folder, 'stock.csv'))
    .replace('/backups/', `${folder}/`);
  const child = spawn('sh', ['-c', words], {
    cwd: ROOT,
    env: { PATH: `${ROOT}node_modules/.bin:${process.env['PATH']}`, HOME: folder, ENV_FILE: '/dev/null', ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}

/** Lets a restore write to an empty folder. */
const elsewhere = (command: string): Record<string, string> =>
  command.includes('restore -- ') ? { DATA_DIR: join(folder, 'restored') } : {};

test.each(RUN.map(([command, says, code = 0]) => ({ command, says, code })))('$command', async ({ command, says, code }) => {
  if (command.includes(' ORDER ')) order = await placeOrder(command.includes('transfer') ? 'BANK_TRANSFER' : 'CARD');
  const answer = await runWords(command, elsewhere(command));
  expect(answer.text).toMatch(says);
  expect(answer.code, answer.text).toBe(code);
  if (command.includes('set-up-code')) await makePeople(answer.text.split('\n', 1)[0] ?? '');
});

async function ask(query: string, input: object): Promise<unknown> {
  const answer = await fetch(`http://localhost:${environment['PORT']}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  });
  return answer.json();
}

let customer: string;
/** The order that a command names. */
let order: Awaited<ReturnType<typeof place>>;

const sandboxed = () => ({
  url: `http://localhost:${environment['PORT']}`,
  mailUrl: `http://127.0.0.1:${Number(environment['SANDBOX_PORT']) + SANDBOX_PORTS.mail}`,
});

/** Makes the first owner, as the set-up page does, and a customer. */
async function makePeople(code: string): Promise<void> {
  const password = 'a long enough secret';
  const made = await ask('mutation ($input: SetUpInput!) { setUpFinish(input: $input) { email } }', { code, email: OWNER, password });
  expect(made).toEqual({ data: { setUpFinish: { email: OWNER } } });
  customer = await signUp(sandboxed(), { email: EMAIL, password });
}

/** What the customer buys: by card and delivered, or large enough for a bank transfer, which has not arrived. */
async function placeOrder(method: 'CARD' | 'BANK_TRANSFER') {
  const { url } = sandboxed();
  const placed = await place(url, customer, await offerOf(url, customer, 'PREMIUM', method === 'CARD' ? 5 : 500), method);
  if (placed && method === 'CARD') await payByCard(sandboxed(), customer, placed);
  return placed;
}

test('the status that the guide shows has the lines of the command', async () => {
  const labels = (text: string) => text.split('\n').flatMap((line) => line.match(/^ *([A-Z]\w+) {2,}/)?.[1] ?? []);
  const [, shown = ''] = /says both:\n\n((?: {4}.*\n)+)/.exec(readFileSync(`${ROOT}docs/upgrade.md`, 'utf8')) ?? [];
  expect(labels(shown)).toEqual(labels((await runWords('npm run --silent migrate -- --status')).text));
});

test('the exits that the guide writes are read as a node reads them', async () => {
  const line = named.find((command) => command.startsWith("echo '[")) ?? '';
  await runWords(line.replace('exits.json', join(folder, 'exits.json')));
  expect(readExits(join(folder, 'exits.json'))).toHaveLength(1);
});
