import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { createDialler } from '../../edge/dial.ts';
import type { ExitDefinition } from '../../edge/exit.ts';
import { type ExitPools, createExitPools } from '../../edge/exits.ts';
import type { Picked } from '../../edge/pick-hints.ts';
import type { GatewayDefinition } from '../../edge/protocol/gateway.ts';
import { readLineTarget } from '../../edge/protocol/line-username.ts';
import { MAX_ENDED, openSessionStore } from '../../edge/session-store.ts';
import { GRAMMARS } from '../../sandbox/gateways/grammars.ts';
import { startSandboxGateway } from '../../sandbox/gateways/gateway.ts';
import { PRODUCTS, type World, connectHead, localExit, startTarget, startWorld } from './world.ts';

const line = (parts: string) => readLineTarget(`user${parts}`, [30, 60]);
const picked = (pools: ExitPools, parts: string, plan = 'plan'): Picked => {
  const exit = pools.pick(plan, 'PREMIUM', line(parts));
  return exit instanceof Promise ? expect.unreachable() : exit;
};
const idOf = (pools: ExitPools, parts: string, plan?: string) => picked(pools, parts, plan).exit.definition.id;
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'fine';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** So many exits in each country. */
const exitsIn = (counts: Readonly<Record<string, number>>): ExitDefinition[] =>
  Object.entries(counts).flatMap(([country, count], block) =>
    Array.from({ length: count }, (_, index) =>
      localExit(1 + index, { id: `${country}-${index}`, address: `127.0.${block}.${index + 1}`, country }),
    ),
  );
const FOUR = { de: 30, fr: 10, it: 5, us: 20 };

test('a rotating line of several countries uses every exit of them before one comes again, and none of another', () => {
  const pools = createExitPools(exitsIn(FOUR));
  for (let round = 0; round < 3; round++) {
    const used = Array.from({ length: 45 }, () => idOf(pools, '-country-it_fr_de'));
    expect(used.filter((id) => id.startsWith('us'))).toEqual([]);
    expect(new Set(used).size).toBeGreaterThanOrEqual(43);
  }
  const two = createExitPools(exitsIn({ de: 1, fr: 1 }));
  const dealt = Array.from({ length: 200 }, () => idOf(two, '-country-de_fr'));
  expect(dealt.every((id, index) => id !== dealt[index - 1])).toBe(true);
});

test('excluded countries are left out of Europe and of the world', () => {
  const pools = createExitPools(exitsIn(FOUR));
  const countries = (parts: string) => [...new Set(Array.from({ length: 120 }, () => picked(pools, parts).country))].sort();
  expect(countries('-not-fr_it')).toEqual(['de', 'us']);
  expect(countries('-country-eu-not-de')).toEqual(['fr', 'it']);
  expect(countries('-country-eu-not-us')).toEqual(['de', 'fr', 'it']);
  expect(codeOf(() => pools.pick('plan', 'PREMIUM', line('-country-eu-not-de_fr_it')))).toBe('exit_unavailable');
  expect(codeOf(() => pools.takeNames('PREMIUM', line('-country-es_pt')))).toBe('exit_unavailable');
  expect(codeOf(() => pools.takeNames('PREMIUM', line('-country-es_de')))).toBe('fine');
  expect(codeOf(() => pools.pick('plan', 'MOBILE', line('-country-de_fr')))).toBe('fine');
});

test('sessions spread over the countries as their exits do; every node finds the same, and another spelling is the same session', () => {
  const definitions = exitsIn(FOUR);
  const [one, other] = [createExitPools(definitions), createExitPools(definitions.toReversed())];
  const counts: Record<string, number> = {};
  for (let number = 0; number < 9_000; number++) {
    const { exit, country } = picked(one, `-country-de_fr_it-session-${number}`);
    expect(idOf(other, `-country-it_de_fr-session-${number}`)).toBe(exit.definition.id);
    counts[country] = (counts[country] ?? 0) + 1;
  }
  expect(counts['de']).toBeGreaterThan(5_700);
  expect(counts['de']).toBeLessThan(6_300);
  expect(counts['it']).toBeGreaterThan(850);
  expect(counts['it']).toBeLessThan(1_150);
});

test('a session stays in its country: with more exits elsewhere, and when it switches its exit', () => {
  const definitions = exitsIn(FOUR);
  const pools = createExitPools(definitions);
  const sessions = Array.from({ length: 300 }, (_, number) => `-country-de_fr_it-session-${number}-onlost-switch`);
  const before = sessions.map((parts) => picked(pools, parts));
  pools.replace([
    ...definitions,
    ...Array.from({ length: 200 }, (_, index) => localExit(1 + index, { id: `more-${index}`, country: 'it' })),
  ]);
  sessions.forEach((parts, index) => expect(idOf(pools, parts)).toBe(before[index]?.exit.definition.id));
  for (const { exit } of before.slice(0, 100)) exit.healthy = false;
  for (const [index, parts] of sessions.entries()) {
    const was = before[index] as Picked;
    if (was.exit.healthy) continue;
    // Where its country has no other exit left, it fails instead of going abroad.
    const code = codeOf(() => expect(picked(pools, parts).country).toBe(was.country));
    expect(['fine', 'exit_unavailable']).toContain(code);
  }
  expect(codeOf(() => picked(pools, (sessions[0] as string).replace('-onlost-switch', '')))).toMatch(/exit_gone|fine/);
});

test('where a country has no usable exit, a new session and a rotating line leave from another of the line', () => {
  const pools = createExitPools(exitsIn({ de: 3, fr: 1 }));
  for (const exit of pools.all) exit.healthy = exit.definition.id.startsWith('fr');
  for (let number = 0; number < 20; number++) expect(idOf(pools, `-country-de_fr-session-${number}`)).toBe('fr-0');
  expect(idOf(pools, '-country-de_fr')).toBe('fr-0');
});

test('a turn gives the session another exit, each turn keeps its own, and the session before goes on', () => {
  for (const count of [2, 3, 20]) {
    const pools = createExitPools(exitsIn({ de: count }));
    for (let session = 0; session < 50; session++) {
      const turns = Array.from({ length: 8 }, (_, turn) => `-session-${session}-turn-${turn}`);
      const used = turns.map((parts) => idOf(pools, parts));
      used.forEach((id, turn) => expect(id).not.toBe(used[turn - 1]));
      turns.forEach((parts, turn) => expect(idOf(pools, parts)).toBe(used[turn]));
      expect(idOf(pools, `-session-${session}`)).toBe(used[0]);
    }
  }
  const one = createExitPools(exitsIn({ de: 1 }));
  expect([idOf(one, '-session-1'), idOf(one, '-session-1-turn-1')]).toEqual(['de-0', 'de-0']);
});

test('for a day after its end the next session of the same name begins at another exit, also after a restart', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'edge-sessions-')), 'sessions');
  const clock = new TestClock();
  let now = 0;
  const advance = (ms: number) => ((now += ms), clock.advance(ms));
  const definitions = exitsIn({ de: 2, fr: 2 });
  const sessions = Array.from({ length: 40 }, (_, number) => `-country-de_fr-session-${number}-sessionttl-30`);
  const store = openSessionStore(file, clock);
  const pools = createExitPools(definitions, () => now, store);
  const first = sessions.map((parts) => idOf(pools, parts));
  advance(31 * MINUTE);
  pools.sweep();
  expect(pools.sessions()).toBe(0);
  advance(22 * HOUR);
  const second = sessions.slice(0, 20).map((parts) => idOf(pools, parts));
  second.forEach((id, index) => expect(id).not.toBe(first[index]));
  store.close();
  const began = now;
  const again = openSessionStore(file, clock);
  const restarted = createExitPools(definitions, () => now - began, again);
  sessions.slice(0, 20).forEach((parts, index) => expect(idOf(restarted, parts)).toBe(second[index]));
  sessions.slice(20).forEach((parts, index) => expect(idOf(restarted, parts)).not.toBe(first[index + 20]));
  advance(DAY + HOUR);
  restarted.sweep();
  // A name that nobody has used for a day is as if it were new.
  expect(sessions.slice(0, 20).map((parts) => idOf(restarted, parts))).toEqual(first.slice(0, 20));
  again.close();
});

test('of ended sessions only so many are remembered', () => {
  let now = 0;
  const pools = createExitPools(exitsIn({ de: 2 }), () => now);
  const [early, late] = ['-session-early-sessionttl-30', '-session-late-sessionttl-30'];
  const earlyExit = idOf(pools, early);
  for (let number = 0; number < MAX_ENDED; number++) pools.pick('plan', 'PREMIUM', line(`-session-${number}-sessionttl-30`));
  const lateExit = idOf(pools, late);
  now += HOUR;
  pools.sweep();
  expect(idOf(pools, early)).toBe(earlyExit);
  expect(idOf(pools, late)).not.toBe(lateExit);
});

let world: World | undefined;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await world?.close();
  for (const each of opened.splice(0)) await each.close();
});

test("a seller's gateway is asked for one country of the line: another one each time, and the same for all of a session", async () => {
  const site = await startTarget((socket) => socket.end(`${socket.remoteAddress}\n`));
  const seller = await startSandboxGateway({ grammar: 'customer', lookUp: () => site.endpoint });
  opened.push(site, seller);
  const gateway: GatewayDefinition = {
    kind: 'gateway',
    id: 'seller',
    products: PRODUCTS,
    protocol: 'http',
    host: seller.endpoint.address,
    port: seller.endpoint.port,
    countries: ['de', 'fr', 'it', 'us'],
    resolve: 'exit',
    username: `${GRAMMARS.customer.account.username}[-cc-{country|upper}][-sessid-{session}[-sesstime-{minutes}]]`,
    password: GRAMMARS.customer.account.password,
  };
  world = await startWorld({ exits: [gateway], dial: createDialler({ next: () => undefined }) });
  const plan = world.ledger.plan();
  const asked = async (parts: string, times: number, from = world as World): Promise<(string | undefined)[]> => {
    seller.requests.length = 0;
    for (let time = 0; time < times; time++) {
      const client = await from.client();
      client.write(connectHead('shop.example:443', `${plan.username}${parts}`));
      await client.ended();
    }
    return seller.requests.map((request) => request.asked?.country?.toLowerCase());
  };
  expect(new Set(await asked('-country-fr_de', 20))).toEqual(new Set(['de', 'fr']));
  expect(new Set(await asked('-not-us', 40))).toEqual(new Set(['de', 'fr', 'it']));
  const bySession = new Set<string | undefined>();
  for (let session = 0; session < 10; session++) {
    const countries = new Set(await asked(`-country-de_fr_it-session-${session}`, 3));
    expect(countries.size).toBe(1);
    bySession.add([...countries][0]);
  }
  expect(bySession.size).toBeGreaterThan(1);
  await world.edge.plans.leases.flush();
  const origins = [...world.ledger.breakdown(plan).keys()].map((key) => key.split('|')[0]);
  // Bytes are booked under the country that was asked for.
  expect(origins.every((country) => ['de', 'fr', 'it'].includes(country ?? ''))).toBe(true);
});
