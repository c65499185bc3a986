import { expect, test } from 'vitest';
import { exitUsesOf, writeExits } from '../../../../../subgraphs/residential/metering/domain/exit-use.ts';
import { toUsedAddress, usesOf } from '../../../../../subgraphs/residential/metering/domain/address-use.ts';

const told = (exit: string, upBytes: bigint, downBytes: bigint) => ({ exit, address: '192.0.2.1', upBytes, downBytes });

test('the entries are what a node reports, exit by exit', () => {
  const exits = [told('a', 10n, 20n), told('b', 1n, 2n)];
  expect(exitUsesOf({ up: 11n, down: 22n }, exits)).toEqual(exits);
  expect(exitUsesOf({ up: 5n, down: 5n }, [])).toEqual([]);
});

test('when exits report more than the new bytes, as after a lost answer, the last exits get them, and none is left out', () => {
  expect(exitUsesOf({ up: 3n, down: 0n }, [told('a', 10n, 20n), told('b', 1n, 2n), told('c', 1n, 0n)])).toEqual([
    told('a', 1n, 0n),
    told('b', 1n, 0n),
    told('c', 1n, 0n),
  ]);
  expect(exitUsesOf({ up: 0n, down: 1n }, [told('a', 10n, 20n), told('b', 1n, 2n)])).toEqual([told('a', 0n, 0n), told('b', 0n, 1n)]);
});

test('names of exits are written so that they read back', () => {
  const odd = { exit: 'a"b\\c', address: null, upBytes: 9_007_199_254_740_993n, downBytes: 0n };
  expect(writeExits([odd])).toBe('[["a\\"b\\\\c",null,9007199254740993,0]]');
});

test('an address is accepted in any notation', () => {
  expect(['2001:DB8:0:0::1', '::ffff:192.0.2.1', ' 192.0.2.1 ', 'fra-1'].map(toUsedAddress)).toEqual([
    '2001:db8::1',
    '192.0.2.1',
    '192.0.2.1',
    'fra-1',
  ]);
});

test('rows of one plan, line, client and exit are one use; the largest comes first', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const row = (planId: string, host: string, minute: number, downBytes: bigint) => ({
    planId,
    session: null,
    client: '192.0.2.9',
    exit: 'a',
    address: null,
    host,
    firstAt: at(minute),
    lastAt: at(minute + 1),
    upBytes: 0n,
    downBytes,
  });
  const uses = usesOf([row('plan_1', 'x.example', 5, 4n), row('plan_2', 'x.example', 1, 9n), row('plan_1', 'y.example', 2, 3n)]);
  expect(
    uses.map(({ planId, firstAt, lastAt, downBytes, hosts }) => [planId, firstAt, lastAt, downBytes, hosts.map(({ host }) => host)]),
  ).toEqual([
    ['plan_2', at(1), at(2), 9n, ['x.example']],
    ['plan_1', at(2), at(6), 7n, ['x.example', 'y.example']],
  ]);
});
