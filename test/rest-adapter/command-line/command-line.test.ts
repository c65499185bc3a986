// The command against the whole platform, and as a program by itself.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type StackWorld, startStackWorld } from '../stack-world.ts';
import { fakeTerminal } from './fake-terminal.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../../rest-adapter/command-line/', import.meta.url));

let world: StackWorld;
let key: string;
beforeAll(async () => {
  world = await startStackWorld({ WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' });
  key = await world.keyFor('read', 'generate', 'webhooks');
});
afterAll(() => world?.close());

const terminal = (over: Parameters<typeof fakeTerminal>[1] = {}) => fakeTerminal({ EGRESS_URL: world.url, EGRESS_API_KEY: key }, over);

test('plans are listed, lines go to the screen, a file and the clipboard, and use is drawn', async () => {
  const screen = terminal();
  expect(await screen.egress('plans')).toBe(0);
  expect(screen.printed).toMatch(
    new RegExp(`^PLAN +PRODUCT +GB +STATUS +VALID UNTIL +USERNAME\\n[^]*${world.plans.premium} +Premium +5 +ACTIVE +for ever`),
  );
  expect(await screen.egress('generate', world.plans.premium, '--pool', 'Germany', '--quantity', '3', '--format', 'url')).toBe(0);
  expect(screen.printed.trim().split('\n')).toHaveLength(3);
  expect(screen.printed).toMatch(/^http:\/\/\S+-country-de-\S+@\S+:\d+\n/);
  const file = join(screen.home, 'lines.txt');
  expect(await screen.egress('generate', world.plans.premium, '--quantity', '2', '--file', file, '--clipboard')).toBe(0);
  expect([screen.printed, screen.complained]).toEqual(['', `2 lines are in ${file} and in the clipboard.\n`]);
  expect(readFileSync(file, 'utf8')).toBe(screen.copied);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await screen.egress('usage', world.plans.premium)).toBe(0);
  expect(screen.printed).toContain('1.234567 of 5 GB');
  expect(screen.printed).toContain('█  1235 MB');
});

test('use is watched live, until Ctrl-C', async () => {
  const screen = terminal();
  const watching = screen.egress('watch', world.plans.premium, '--every', '1', '--json');
  await vi.waitUntil(() => screen.printed !== '');
  screen.stop();
  expect(await watching).toBe(0);
  expect(JSON.parse(screen.printed.split('\n')[0] ?? '')).toMatchObject({ total_data: 5, product: world.plans.premium });
});

test('exit codes tell a refusal, a key that may not, and no answer apart', async () => {
  const screen = terminal();
  expect(await screen.egress('usage', world.plans.foreign)).toBe(1);
  expect(screen.complained).toMatch(/\(plan_not_found, product_id\)\n {2}request req_/);
  expect(await screen.egress('generate', world.plans.premium, '--time', '7', '--json')).toBe(1);
  expect(JSON.parse(screen.complained)).toMatchObject({ exit_code: 1, error: { code: 'time_not_allowed', allowed: [30, 60, 120, 240] } });
  expect(await fakeTerminal({ EGRESS_URL: world.url, EGRESS_API_KEY: world.unknownKey }).egress('plans')).toBe(4);
  expect(
    await fakeTerminal({ EGRESS_URL: world.url, EGRESS_API_KEY: await world.keyFor('read') }).egress(
      'webhooks',
      'create',
      'https://a.example',
    ),
  ).toBe(4);
  expect(await screen.egress('plans', '--url', 'http://127.0.0.1:1')).toBe(3);
});

test('the key comes from a file that is named, the environment, the file at home, or whoever is asked', async () => {
  const bare = { EGRESS_URL: world.url };
  const nobody = fakeTerminal(bare);
  expect(await nobody.egress('plans')).toBe(2);
  expect(nobody.complained).toContain('No API key');
  const named = join(nobody.home, 'named');
  writeFileSync(named, `${key}\n`, { mode: 0o644 });
  expect(await nobody.egress('plans', '--key-file', named)).toBe(0);
  expect(nobody.complained).toContain(`others on this machine may read ${named}`);
  expect(await nobody.egress('plans', '--key-file', join(nobody.home, 'none'))).toBe(2);

  const asked = fakeTerminal(bare, { canAsk: true, askSecret: async () => key });
  expect(await asked.egress('plans')).toBe(0);
  expect(await asked.egress('key', 'save')).toBe(0);
  const kept = join(asked.home, '.config/egress/key');
  expect([readFileSync(kept, 'utf8'), statSync(kept).mode & 0o777]).toEqual([`${key}\n`, 0o600]);
  asked.askSecret = async () => 'not asked again';
  expect(await asked.egress('plans')).toBe(0);
});

test('listening prints what is sent, refuses what is not signed, and leaves no webhook behind', async () => {
  const screen = terminal();
  const listening = screen.egress('webhooks', 'listen', '--json');
  await vi.waitUntil(() => /\((hook_\w+|\w+)\)\. Ctrl-C/.test(screen.complained));
  const [, url = '', id = ''] = /sent to (\S+) \((\w+)\)/.exec(screen.complained) ?? [];
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  expect(screen.complained).toContain('a request was not believed');
  expect(await terminal().egress('webhooks', 'test', id)).toBe(0);
  await world.stack.settle();
  await vi.waitUntil(() => screen.printed !== '');
  expect(JSON.parse(screen.printed)).toMatchObject({ event_id: expect.any(String), type: expect.any(String), data: {} });
  screen.stop();
  expect(await listening).toBe(0);
  const after = terminal();
  expect(await after.egress('webhooks', 'show', id)).toBe(1);
});

test('where the platform cannot send to, it is asked for events', async () => {
  const screen = terminal();
  const listening = screen.egress('webhooks', 'listen', '--public-url', 'ftp://shop.example/');
  await vi.waitUntil(() => screen.complained.includes('without one no events are kept'));
  screen.stop();
  expect(await listening).toBe(0);
});

test('the package that npm packs has a program `egress` that needs nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-command-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const npm = (...words: string[]) =>
    run('npm', [...words, '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')], { cwd: folder });
  await npm('pack', FOLDER, '--pack-destination', folder);
  const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{}');
  await npm('install', join(folder, packed));
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['egress-command-line']);
  const egress = (env: Record<string, string>, ...words: string[]) =>
    run(join(folder, 'node_modules/.bin/egress'), words, {
      env: { PATH: process.env['PATH'], HOME: folder, EGRESS_URL: world.url, ...env },
    });
  const { stdout } = await egress({ EGRESS_API_KEY: key }, 'plans', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    plans: expect.arrayContaining([expect.objectContaining({ product_id: world.plans.premium })]),
  });
  await expect(egress({}, 'plans')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('No API key') });
});
