import { expect, test } from 'vitest';
import { type Exit, createExit, reaches } from '../../edge/exit.ts';
import { Dealer, StickyTable } from '../../edge/exit-choice.ts';
import { addressIn } from '../../edge/exit-line.ts';
import { createExitPools } from '../../edge/exits.ts';
import type { Picked } from '../../edge/pick-hints.ts';
import { readLineTarget } from '../../edge/protocol/line-username.ts';
import { PRODUCTS, localExit } from './world.ts';

const exits = (count: number, weightOf: (index: number) => number = () => 1): Exit[] =>
  Array.from({ length: count }, (_, index) => createExit(localExit(index % 250, { id: `exit-${index}`, weight: weightOf(index) })));
const sessions = (count: number) => Array.from({ length: count }, (_, number) => `plan/PREMIUM/de///${number}#0`);
const any = () => true;

test('sessions spread over exits as their weights say, whatever the order of the file', () => {
  const all = exits(50, (index) => (index < 10 ? 4 : 1));
  const [table, reversed] = [new StickyTable(all), new StickyTable([...all].reverse())];
  const counts = new Map<Exit | undefined, number>();
  for (const session of sessions(40_000)) {
    const exit = table.choose(session, any);
    expect(reversed.choose(session, any)).toBe(exit);
    counts.set(exit, (counts.get(exit) ?? 0) + 1);
  }
  const mean = (from: number, to: number) => all.slice(from, to).reduce((sum, exit) => sum + (counts.get(exit) ?? 0), 0) / (to - from);
  expect(mean(0, 10) / mean(10, 50)).toBeCloseTo(4, 0);
  expect(Math.min(...all.map((exit) => counts.get(exit) ?? 0))).toBeGreaterThan(300);
});

test('the loss of one exit moves its own sessions alone, and one more takes only its share', () => {
  const all = exits(1_000);
  const table = new StickyTable(all);
  const before = sessions(5_000).map((session) => table.choose(session, any));
  const lost = before[0];
  sessions(5_000).forEach((session, index) => {
    const after = table.choose(session, (exit) => exit !== lost);
    if (before[index] === lost) expect(after).not.toBe(lost);
    else expect(after).toBe(before[index]);
  });
  const more = new StickyTable([...all, createExit(localExit(1, { id: 'one more' }))]);
  const moved = sessions(5_000).filter((session, index) => more.choose(session, any) !== before[index]).length;
  expect(moved).toBeLessThan(50);
});

test('where nearly every exit is out, the ones that are left are found', () => {
  const all = exits(20_000);
  const table = new StickyTable(all);
  expect(table.choose('somebody', (exit) => exit === all[17])).toBe(all[17]);
  expect(table.choose('somebody', () => false)).toBeUndefined();
});

test('a rotating plan gets every exit once before it gets one again, and never one twice in a row', () => {
  const all = exits(997);
  const dealer = new Dealer(all);
  for (let round = 0; round < 3; round++)
    expect(new Set(Array.from({ length: all.length }, () => dealer.deal('plan', any))).size).toBeGreaterThanOrEqual(all.length - 1);
  const two = new Dealer(all.slice(0, 2));
  const dealt = Array.from({ length: 100 }, () => two.deal('plan', any));
  expect(dealt.every((exit, index) => exit !== dealt[index - 1])).toBe(true);
  const [only] = all;
  expect(new Dealer([only as Exit]).deal('plan', any)).toBe(only);
});

test('only an exit of the family of the target is chosen; without one the refusal says so', () => {
  const target = readLineTarget('user-country-de', [60]);
  const pools = createExitPools([
    localExit(1),
    localExit(2),
    { id: 'six', kind: 'network', network: '2001:db8:7::/64', country: 'de', products: PRODUCTS },
  ]);
  const picks = (address: string) =>
    new Set(
      Array.from(
        { length: 30 },
        () => (pools.pick('plan', 'PREMIUM', target, { host: 'x.example', addresses: [address] }) as Picked).exit.definition.id,
      ),
    );
  expect(picks('2606:2800::1')).toEqual(new Set(['six']));
  expect(picks('93.184.215.14')).toEqual(new Set(['exit-1', 'exit-2']));
  pools.replace([localExit(1)]);
  expect(() => picks('2606:2800::1')).toThrow(expect.objectContaining({ code: 'target_family_unreachable' }));
});

test('each session has an address of its own in a network, the same on every node; rotating lines have another one each time', () => {
  const network = { id: 'six', kind: 'network', network: '2001:db8:40::/46', country: 'de', products: PRODUCTS } as const;
  expect(addressIn(network, 'a session')).toBe(addressIn(network, 'a session'));
  const addresses = Array.from({ length: 2_000 }, (_, index) => addressIn(network, index < 1_000 ? `session ${index}` : undefined));
  expect(new Set(addresses).size).toBe(2_000);
  for (const address of addresses) expect(address).toMatch(/^2001:db8:4[0-3]:/);
  expect(reaches({ definition: network }, '2606:2800::1')).toBe(true);
  expect(reaches({ definition: network }, '93.184.215.14')).toBe(false);
});
