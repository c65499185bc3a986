// The operator's block lists: what their forms mean, what is refused, and that they follow their files and URLs.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { BlockedTargets } from '../../edge/blocked-targets.ts';
import { readBlocklist } from '../../edge/blocklist-text.ts';
import { Blocklists } from '../../edge/blocklists.ts';
import { type World, connectHead, startEcho, startWorld } from './world.ts';

let folder: string;
let server: Server;
let url: string;
/** What the server of lists answers. */
const served = { status: 200, text: '', etag: undefined as string | undefined, asked: [] as (string | undefined)[] };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'egress-lists-'));
  server = createServer((request, response) => {
    const known = request.headers['if-none-match'];
    served.asked.push(known);
    if (served.etag !== undefined && known === served.etag) return void response.writeHead(304).end();
    response.writeHead(served.status, served.etag === undefined ? {} : { etag: served.etag }).end(served.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const TEXT = `# hosts, as StevenBlack and others publish them
127.0.0.1 localhost localhost.localdomain
::1 ip6-localhost
0.0.0.0 0.0.0.0
0.0.0.0 Ads.Example.COM tracker.example.net # both
192.168.1.5 nas.home.example
! plain
*.wild.example
.dot.example
bad.example.   ; with a dot
com
not/a target
93.184.215.14
198.41.0.0/16
2606:4700::/32
`;

test('reads hosts files and plain lists, and tells how many lines it cannot read', () => {
  const targets = new BlockedTargets();
  // A name at a real address, a whole top-level domain, words that are no target, the name of nowhere itself.
  expect(readBlocklist(TEXT, targets, 1_000)).toBe(3);
  for (const name of [
    'ads.example.com',
    'x.ads.example.com',
    'tracker.example.net',
    'wild.example',
    'a.b.wild.example',
    'dot.example',
    'bad.example',
  ])
    expect(targets.hasName(name), name).toBe(true);
  for (const name of ['example.com', 'localhost', 'notads.example.com', 'nas.home.example', 'com', 'example'])
    expect(targets.hasName(name), name).toBe(false);
  for (const address of ['93.184.215.14', '198.41.0.0', '198.41.255.255', '2606:4700::1111'])
    expect(targets.hasAddress(address), address).toBe(true);
  for (const address of ['93.184.215.15', '198.40.255.255', '198.42.0.0', '2606:4701::1', '0.0.0.0', '127.0.0.1', '::1'])
    expect(targets.hasAddress(address), address).toBe(false);
  expect(targets.size).toBe(8);
});

test('every prefix length is told apart, at both ends of its network', () => {
  for (let length = 1; length <= 32; length++) {
    const targets = new BlockedTargets();
    targets.addNetwork(`93.184.215.14/${length}`);
    const [first, size] = [Math.floor(1_572_394_766 / 2 ** (32 - length)) * 2 ** (32 - length), 2 ** (32 - length)];
    const dotted = (value: number) => [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
    expect([first - 1, first, first + size - 1, first + size].map((value) => targets.hasAddress(dotted(value)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  }
});

test('a file is read again when it changes; a broken one, or one that is too large, leaves the one before', async () => {
  const file = fileOf('own.txt', 'one.example\n');
  const lists = new Blocklists({ sources: [file], log: silentLog, limits: { bytes: 60, targets: 3 } });
  await lists.look();
  expect([lists.hasName('one.example'), lists.hasName('two.example')]).toEqual([true, false]);
  fileOf('own.txt', 'two.example\n3.example\n');
  await lists.look();
  expect([lists.hasName('one.example'), lists.hasName('two.example')]).toEqual([false, true]);
  fileOf('own.txt', 'a.example\nb.example\nc.example\nd.example\n');
  await lists.look();
  expect([lists.size, lists.failures, lists.hasName('two.example')]).toEqual([2, 1, true]);
  fileOf('own.txt', '#'.repeat(61));
  await lists.look();
  expect([lists.failures, lists.hasName('two.example')]).toEqual([2, true]);
  rmSync(file);
  await lists.look();
  expect([lists.failures, lists.hasName('two.example')]).toEqual([3, true]);
  lists.close();
});

test('a URL is asked with its ETag, and what it said last is there at the next start without it', async () => {
  const open = () =>
    new Blocklists({ sources: [url], log: silentLog, folder: join(folder, 'kept'), urlMs: 0, limits: { bytes: 1_000, targets: 100 } });
  Object.assign(served, { status: 200, text: 'evil.example', etag: '"1"', asked: [] });
  const lists = open();
  await lists.look();
  await lists.look();
  expect([served.asked, lists.hasName('evil.example'), lists.failures]).toEqual([[undefined, '"1"'], true, 0]);
  Object.assign(served, { text: 'x'.repeat(1_001), etag: '"2"' });
  await lists.look();
  expect([lists.failures, lists.hasName('evil.example')]).toEqual([1, true]);
  lists.close();
  Object.assign(served, { status: 503, text: '', etag: undefined });
  const next = open();
  await next.look();
  expect([next.failures, next.hasName('evil.example')]).toEqual([1, true]);
  next.close();
  expect(readdirSync(join(folder, 'kept')).map((name) => readFileSync(join(folder, 'kept', name), 'utf8'))).toEqual(['evil.example']);
});

test('an answer that is too large leaves what was kept in force, now and when another list changes, and kept', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'egress-kept-'));
  const own = fileOf('beside.txt', 'one.example\n');
  const open = () => new Blocklists({ sources: [own, url], log: silentLog, folder: kept, urlMs: 0, limits: { bytes: 1_000, targets: 3 } });
  const listed = (lists: Blocklists) => ['one.example', 'two.example', 'evil.example'].map((name) => lists.hasName(name));
  Object.assign(served, { status: 200, text: 'evil.example', etag: undefined });
  const first = open();
  await first.look();
  first.close();
  Object.assign(served, { text: 'a.example\nb.example\nc.example\nd.example\n', etag: '"large"' });
  const next = open();
  await next.look();
  expect([next.failures, listed(next)]).toEqual([1, [true, false, true]]);
  fileOf('beside.txt', 'one.example\ntwo.example\n');
  await next.look();
  expect([next.failures, listed(next)]).toEqual([1, [true, true, true]]);
  next.close();
  Object.assign(served, { status: 503, text: '', etag: undefined });
  const last = open();
  await last.look();
  expect(listed(last)).toEqual([true, true, true]);
  last.close();
  rmSync(kept, { recursive: true });
});

test('a customer is told by name that a target is listed, by name or by what it resolves to, and it is counted', async () => {
  const echo = await startEcho();
  const file = fileOf('node.txt', '0.0.0.0 listed.example\n93.184.215.99\n');
  const world: World = await startWorld({ blocklists: [file] });
  const plan = world.ledger.plan();
  const target = echo.endpoint;
  world.route('good.example', ['93.184.215.14'], target);
  world.route('www.listed.example', ['93.184.215.14'], target);
  world.route('moved.example', ['93.184.215.99'], target);
  const answerOf = async (host: string) => {
    const client = await world.client();
    client.write(connectHead(`${host}:${target.port}`, plan.username));
    return (await client.until('\r\n\r\n')).toString();
  };
  expect(await answerOf('good.example')).toContain(' 200 ');
  for (const host of ['www.listed.example', 'LISTED.example', 'moved.example', '93.184.215.99'])
    expect(await answerOf(host), host).toMatch(/^HTTP\/1\.1 403 [^]*X-Proxy-Error: target_listed/);
  expect(world.edge.figures()).toMatchObject({ listedTargets: 2, listedRefusals: 4, blocklistFailures: 0 });
  fileOf('node.txt', 'other.example\n');
  await vi.waitFor(async () => expect(await answerOf('www.listed.example')).toContain(' 200 '), { timeout: 10_000, interval: 500 });
  await world.close();
  await echo.close();
});

test('a node does not start without a file that it is to go by', async () => {
  await expect(startWorld({ blocklists: [join(folder, 'none.txt')] })).rejects.toThrow('none.txt cannot be used');
});

test('a start waits three seconds for URLs that never answer, however many; what the others and the last start said is in force', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const mute = (name: string) => `http://127.0.0.1:${(silent.address() as AddressInfo).port}/${name}`;
  const kept = mkdtempSync(join(tmpdir(), 'egress-kept-'));
  Object.assign(served, { status: 200, text: 'answers.example\n', etag: undefined });
  const sources = [fileOf('mine.txt', 'mine.example\n'), mute('one'), mute('two'), url];
  const lists = new Blocklists({ sources, log: silentLog, folder: kept });
  const began = performance.now();
  await lists.start();
  expect(performance.now() - began).toBeLessThan(6_000);
  expect(['mine.example', 'answers.example'].map((name) => lists.hasName(name))).toEqual([true, true]);
  lists.close();
  await vi.waitFor(() => expect(readdirSync(kept)).toEqual([expect.stringMatching(/^[0-9a-f]+\.txt$/)]));
  // What a URL said once is in force from the start, while it is silent.
  const again = new Blocklists({ sources: [url], log: silentLog, folder: kept });
  const answering = server.listeners('request');
  server.removeAllListeners('request').on('request', () => {});
  await again.start();
  expect(again.hasName('answers.example')).toBe(true);
  again.close();
  server.removeAllListeners('request');
  for (const listener of answering) server.on('request', listener as () => void);
  silent.closeAllConnections();
  silent.close();
  server.closeAllConnections();
  rmSync(kept, { recursive: true });
}, 30_000);
