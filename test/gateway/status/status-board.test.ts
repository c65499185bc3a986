// The status page while subgraphs are unreachable, and after a restart of this process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';
import { createFront } from '../../../gateway/http/front.ts';
import type { Asks } from '../../../gateway/status/components.ts';
import { type StatusBoard, openStatusBoard } from '../../../gateway/status/status-board.ts';
import { createStatusRoutes } from '../../../gateway/status/status-routes.ts';
import { createMetrics } from '#platform/metrics.ts';
import { recordingLog } from '../world.ts';

let folder: string;
let clock: TestClock;
let board: StatusBoard;
/** Subgraph -> the state that it reports. A subgraph without an entry does not answer. */
let says: Record<string, string>;
let stored: { component: string; at: string; state: string }[];
let incidents: object[];
const { log, lines } = recordingLog();

function asks(): Asks {
  const ask = (name: string) => async (query: string, variables: Record<string, unknown>) => {
    if (!(name in says)) throw new Error(`${name} is away`);
    if (query.includes('statusReport')) return { told: stored.push(...(variables['minutes'] as typeof stored)) > 0 };
    return query.includes('statusHistory') ? { days: [], incidents } : { state: says[name] };
  };
  return Object.fromEntries(['accounts', 'residential', 'static', 'compute'].map((name) => [name, ask(name)])) as unknown as Asks;
}
const open = () => openStatusBoard({ asks: asks(), file: join(folder, 'status.json'), clock, log });
const stateOf = (component: string) => board.report().components.find((each) => each.component === component)?.state;
const today = (component: string) =>
  board
    .report()
    .components.find((each) => each.component === component)
    ?.days.at(-1);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'egress-status-'));
  clock = new TestClock('2026-01-15T12:00:00Z');
  says = { accounts: 'OPERATIONAL', residential: 'OPERATIONAL', static: 'OPERATIONAL', compute: 'OPERATIONAL' };
  [stored, incidents, lines.length] = [[], [], 0];
  board = await open();
});
afterEach(async () => {
  await board.close();
  rmSync(folder, { recursive: true });
});

test('each subgraph reports its part, and an unreachable one is shown as such', async () => {
  says = { accounts: 'DEGRADED', residential: 'OPERATIONAL', static: 'DOWN' };
  await board.measure();
  const states = Object.fromEntries(board.report().components.map(({ component, state }) => [component, state]));
  expect(states).toEqual({
    API: 'DEGRADED',
    DASHBOARD: 'DEGRADED',
    RESIDENTIAL_PROXIES: 'OPERATIONAL',
    STATIC_PROXIES: 'DOWN',
    SERVERS: 'DEGRADED',
    PAYMENTS: 'DEGRADED',
  });
  expect(board.report().state).toBe('DOWN');
});

test('while accounts is unreachable every minute is kept, counted, and sent when it is back', async () => {
  says = {};
  for (let minute = 0; minute < 3; minute++) {
    await board.measure();
    await board.measure();
    clock.advance(MINUTE);
  }
  expect(stored).toEqual([]);
  expect(today('API')).toMatchObject({ measuredMinutes: 3, downMinutes: 3 });
  expect(board.report().components[0]?.days).toHaveLength(90);
  says = { accounts: 'OPERATIONAL', residential: 'OPERATIONAL', static: 'OPERATIONAL', compute: 'OPERATIONAL' };
  await board.measure();
  expect(stored.filter(({ component }) => component === 'API').map(({ state }) => state)).toEqual(['DOWN', 'DOWN', 'DOWN', 'OPERATIONAL']);
  await board.measure();
  expect(stored.filter(({ at }) => at === '2026-01-15T12:00:00.000Z')).toHaveLength(6);
});

test('the history survives a restart, also when no subgraph answers afterwards', async () => {
  incidents = [incident()];
  await board.measure();
  says = {};
  clock.advance(MINUTE);
  await board.measure();
  await board.close();
  board = await open();
  expect(board.report().incidents.map(({ id }) => id)).toEqual(['inc_1']);
  expect(stateOf('API')).toBe('DOWN');
  expect(today('API')).toMatchObject({ downMinutes: 1 });
});

test('a corrupt file loses the history of this process and nothing else', async () => {
  writeFileSync(join(folder, 'status.json'), '{"days":');
  board = await open();
  expect(board.report().measuredAt).toBeNull();
  expect(lines.map(({ level }) => level)).toEqual(['warn']);
});

test('a failed write is logged once, and the page still works', async () => {
  writeFileSync(join(folder, 'no-folder'), '');
  const unkept = await openStatusBoard({ asks: asks(), file: join(folder, 'no-folder', 'status.json'), clock, log });
  lines.length = 0;
  await unkept.measure();
  await unkept.measure();
  expect(lines.map(({ level }) => level)).toEqual(['warn']);
  expect(unkept.report().measuredAt).not.toBeNull();
});

test('an incident’s state is shown while it lasts, unless a worse state is measured', async () => {
  incidents = [incident({ kind: 'MAINTENANCE', beginsAt: '2026-01-15T12:30:00.000Z', endsAt: '2026-01-15T13:00:00.000Z', impact: 'DOWN' })];
  await board.measure();
  expect(stateOf('SERVERS')).toBe('OPERATIONAL');
  clock.advance(31 * MINUTE);
  expect(stateOf('SERVERS')).toBe('DOWN');
  expect(stateOf('API')).toBe('OPERATIONAL');
  clock.advance(30 * MINUTE);
  expect(stateOf('SERVERS')).toBe('OPERATIONAL');
});

test('status.json and status.rss are public, in the language that is asked for', async () => {
  incidents = [incident()];
  await board.measure();
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    routes: createStatusRoutes({ board, brand: 'A & B', publicUrl: 'https://proxies.example', clock }),
    upgrades: [],
    clock,
    log,
    metrics: createMetrics(),
  });
  const { url } = await front.listen();
  const json = await fetch(`${url}/status.json`);
  expect(json.headers.get('access-control-allow-origin')).toBe('*');
  expect(await json.json()).toMatchObject({ brand: 'A & B', state: 'DEGRADED', incidents: [{ id: 'inc_1' }] });
  const feed = await (await fetch(`${url}/status.rss?language=de`)).text();
  expect(feed).toContain('<title>Langsame &lt;Aufträge&gt; – Behoben</title>');
  expect(feed.match(/<item>/g)).toHaveLength(2);
  expect(feed).toContain('<guid isPermaLink="false">incu_2</guid><pubDate>Thu, 15 Jan 2026 11:30:00 +0000</pubDate>');
  const english = await (await fetch(`${url}/status.rss`, { headers: { 'accept-language': 'fr, en' } })).text();
  expect(english).toContain('<title>A &amp; B status</title>');
  await front.close();
});

const incident = (more: object = {}) => ({
  id: 'inc_1',
  kind: 'INCIDENT',
  components: ['SERVERS'],
  impact: 'DEGRADED',
  title: { en: 'Slow builds', de: 'Langsame <Aufträge>' },
  beginsAt: '2026-01-15T11:00:00.000Z',
  endsAt: null,
  resolvedAt: null,
  updates: [
    { id: 'incu_2', step: 'RESOLVED', text: { en: 'Done.', de: null }, at: '2026-01-15T11:30:00.000Z' },
    { id: 'incu_1', step: 'INVESTIGATING', text: { en: 'We look.\u0007', de: null }, at: '2026-01-15T11:00:00.000Z' },
  ],
  ...more,
});
