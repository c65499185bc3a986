import { expect, test } from 'vitest';
import { networkState } from '../../../../subgraphs/residential/edges/domain/network-state.ts';

const now = new Date('2026-01-15T12:00:00Z');
const node = (secondsAgo: number | null, more: object = {}) => ({
  revokedAt: null,
  drainingSince: null,
  seenAt: secondsAgo === null ? null : new Date(now.getTime() - secondsAgo * 1_000),
  status: { exitCount: 4, healthyExitCount: 4 },
  ...more,
});
const noExit = { status: { exitCount: 4, healthyExitCount: 0 } };

test.each([
  ['no node', [], 'OPERATIONAL'],
  ['all heard of', [node(5), node(60)], 'OPERATIONAL'],
  ['one silent', [node(5), node(61)], 'DEGRADED'],
  ['one without an exit that works', [node(5), node(5, noExit)], 'DEGRADED'],
  ['all silent', [node(61), node(null)], 'DOWN'],
  ['silent ones that are to serve nobody', [node(5), node(900, { revokedAt: now }), node(900, { drainingSince: now })], 'OPERATIONAL'],
])('%s', (_what, nodes, state) => {
  expect(networkState(nodes, now)).toBe(state);
});
