// How an account chooses to have hosts kept: more private than the operator keeps them, from the next counted line on. The operator keeps them as they are.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { LeasePart } from '../../../../edge/protocol/control-plane.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { keptHosts } from '../../../../subgraphs/residential/metering/providers/kept-host.ts';
import { acceptUsage } from '../../../../subgraphs/residential/metering/services/decide-on-usage.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { HOSTS_KEPT, type HostsKept, keptOf } from '../../../../subgraphs/residential/plans/domain/hosts-kept.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { watchStatements } from '../../../kit/statements.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world?.close());

const HOSTS = '{ kept allowed chosenAt }';
const choose = (accountId: string, kept: string, viewer = sessionOf(accountId)) =>
  world.ask(viewer, `mutation ($kept: HostsKept!) { hosts: usageHostsChoose(kept: $kept) ${HOSTS} }`, { kept });
const hostsOf = async (accountId: string) => (await world.ask(keyOf(accountId), `{ hosts: usageHosts ${HOSTS} }`)).data?.['hosts'];

const HASH = /^~[\w-]{16}$/;
/** The hosts in the ledger, the earliest entry first. */
const entered = async (plan: Plan) =>
  (
    await rowsOf<{ host: string | null }>(
      world.query,
      'residential.usage_entry',
      { plan_id: plan.id },
      { orderBy: 'received_at, at, line' },
    )
  ).map(({ host }) => host);

const part = (host: string, down: number): LeasePart => ({ country: 'de', session: null, host, client: '198.51.100.7', up: 0, down });
async function leasesOf(...plans: Plan[]): Promise<string[]> {
  const wants = plans.map((plan) => ({ planId: plan.id, epoch: plan.credentialEpoch, bytes: 1_000_000, starved: false }));
  return (await syncLeases(world.context(), 'node', { reports: [], wants })).grants.map(({ lease }) => lease ?? expect.unreachable());
}
const report = (leases: readonly string[], parts: LeasePart[], context = world.context()) =>
  syncLeases(context, 'node', { reports: leases.map((lease) => ({ lease, parts, final: false })), wants: [] });

describe('two accounts with different choices', () => {
  test('in one report of a network, and of a node, each has its hosts as it chose', async () => {
    const [open, quiet, silent] = [await world.plan('acct_open'), await world.plan('acct_quiet'), await world.plan('acct_silent')];
    await choose('acct_quiet', 'HASHED');
    await choose('acct_silent', 'OFF');
    const plans = [open, quiet, silent];
    await world.report(plans.map((plan, index) => world.line(plan, { line: index, host: 'Shop.example' })));
    world.clock.advance(1_000);
    const leases = await leasesOf(...plans);
    await report(leases, [part('shop.example', 100), part('other.example', 7)]);
    expect(await entered(open)).toEqual(['shop.example', 'shop.example', 'other.example']);
    const [first, second, other] = await entered(quiet);
    expect(first).toMatch(HASH);
    expect([second, other]).toEqual([first, expect.stringMatching(HASH)]);
    expect(other).not.toBe(first);
    expect(await entered(silent)).toEqual([null, null, null]);
    for (const plan of plans) expect((await world.planNow(plan.id)).downBytes).toBe(1_107n);
    const counting = JSON.stringify(await rowsOf(world.query, 'residential.lease_part'));
    expect(counting.match(/shop\.example/g)).toHaveLength(1);
  });

  test('is read by the statement that locks the plans of a report, and by no other, for all lines together', async () => {
    const plans = [await world.plan('acct_counted'), await world.plan('acct_counted_too')];
    await choose('acct_counted', 'HASHED');
    const reading: string[] = [];
    const stop = watchStatements(({ text }) => {
      if (text.includes('host_choice')) reading.push(text);
    });
    await world.report(plans.flatMap((plan, at) => [0, 1, 2].map((line) => world.line(plan, { line: 3 * at + line, host: 'a.example' }))));
    stop();
    expect(reading).toEqual([expect.stringMatching(/from residential\.plan .* for no key update$/)]);
  });
});

describe('a choice', () => {
  test('holds from the next line on, counts nothing twice in the middle of a lease, and leaves what was counted as it is', async () => {
    const plan = await world.plan('acct_changing');
    const [lease = ''] = await leasesOf(plan);
    let down = 0;
    for (const kept of ['PLAIN', 'HASHED', 'OFF', 'PLAIN']) {
      await choose('acct_changing', kept);
      await report([lease], [part('e.example', (down += 100)), part('f.example', 5)]);
      world.clock.advance(1_000);
    }
    expect((await world.planNow(plan.id)).downBytes).toBe(405n);
    expect(await entered(plan)).toEqual(['e.example', 'f.example', expect.stringMatching(HASH), null, 'e.example']);
  });

  test('is told, with what may be chosen; it is an event once for each change, and a session’s alone', async () => {
    const undecided = { kept: 'PLAIN', allowed: ['PLAIN', 'HASHED', 'OFF'], chosenAt: null };
    expect(await hostsOf('acct_tells')).toEqual(undecided);
    const at = world.clock.now().toISOString();
    expect((await choose('acct_tells', 'HASHED')).data).toEqual({ hosts: { ...undecided, kept: 'HASHED', chosenAt: at } });
    world.clock.advance(1_000);
    expect((await choose('acct_tells', 'HASHED')).data).toMatchObject({ hosts: { chosenAt: at } });
    await choose('acct_tells', 'OFF');
    expect(await hostsOf('acct_tells')).toMatchObject({ kept: 'OFF' });
    const said = await world.events('acct_tells', 'usage_hosts.chosen');
    expect(said.map(({ data }) => data)).toEqual([{ kept: 'hashed' }, { kept: 'off' }]);
    expect(codesOf(await choose('acct_tells', 'PLAIN', keyOf('acct_tells')))).toEqual(['forbidden']);
    expect(await hostsOf('acct_other')).toEqual(undecided);
  });

  test('is told with every breakdown by host, and with where data went', async () => {
    const plan = await world.plan('acct_shown');
    await choose('acct_shown', 'HASHED');
    await world.use(plan, 10n, { host: 'shown.example' });
    const [from, to] = [new Date(world.clock.now().getTime() - HOUR), new Date(world.clock.now().getTime() + 1)].map((at) =>
      at.toISOString(),
    );
    const day = (to ?? '').slice(0, 10);
    const { data, errors } = await world.ask(
      sessionOf('acct_shown'),
      `query ($id: ID!, $from: DateTime!, $to: DateTime!, $day: Date!) {
        one: residentialPlan(id: $id) { breakdown(by: HOST) { shares { value } hosts { kept } } explanation(from: $from, to: $to) { hosts { kept } } }
        all: residentialUsageOfPlans(from: $day, to: $day) { breakdown(by: HOST) { shares { value } hosts { kept } } }
      }`,
      { id: plan.id, from, to, day },
    );
    expect(errors).toBeUndefined();
    const breakdown = { shares: [{ value: expect.stringMatching(HASH) }], hosts: { kept: 'HASHED' } };
    expect(data).toEqual({ one: { breakdown, explanation: { hosts: { kept: 'HASHED' } } }, all: { breakdown } });
  });

  test('holds for lines that waited for support, too: what was kept plainly is hashed, and what is hashed is not hashed again', async () => {
    const plan = await world.plan('acct_waiting', 'PREMIUM', 10n * GB);
    world.clock.advance(2 * HOUR);
    const held = (line: number) => world.report([world.line(plan, { line, downBytes: 20n * GB, host: 'held.example' })]);
    await held(0);
    await choose('acct_waiting', 'HASHED');
    await held(1);
    const waiting = await rowsOf<{ id: string; host: string }>(
      world.query,
      'residential.usage_quarantine',
      { plan_id: plan.id },
      { orderBy: 'line' },
    );
    expect(waiting.map(({ host }) => host)).toEqual(['held.example', expect.stringMatching(HASH)]);
    await acceptUsage(
      world.context(),
      waiting.map(({ id }) => id),
      'support',
    );
    expect(await entered(plan)).toEqual([waiting[1]?.host, waiting[1]?.host]);
  });
});

test('less private than the operator is refused, with what may be chosen, and a later stricter operator wins', async () => {
  const context = world.context();
  const under = (operators: HostsKept) => ({
    ...context,
    providers: { ...context.providers, hosts: keptHosts(operators, ['a secret of the test']) },
  });
  const strict = await startResidential({ USAGE_HOSTS: 'hashed' });
  try {
    const ask = (kept: string) =>
      strict.ask(sessionOf('acct_strict'), `mutation ($kept: HostsKept!) { hosts: usageHostsChoose(kept: $kept) ${HOSTS} }`, { kept });
    const refused = await ask('PLAIN');
    expect(codesOf(refused)).toEqual(['parameter_invalid']);
    expect(refused.errors?.[0]?.message).toBe('Hosts are kept more privately here by the operator: choose HASHED, OFF.');
    expect(refused.errors?.[0]?.extensions).toMatchObject({ field: 'kept', allowed: ['HASHED', 'OFF'] });
    expect((await ask('OFF')).data).toMatchObject({ hosts: { kept: 'OFF', allowed: ['HASHED', 'OFF'] } });
  } finally {
    await strict.close();
  }
  const plan = await world.plan('acct_before');
  await choose('acct_before', 'HASHED');
  const [lease = ''] = await leasesOf(plan);
  await report([lease], [part('late.example', 10)], under('off'));
  expect(await entered(plan)).toEqual([null]);
  expect(
    HOSTS_KEPT.flatMap((chosen) => HOSTS_KEPT.map((operators) => `${chosen} under ${operators}: ${keptOf(chosen, operators)}`)),
  ).toEqual([
    'plain under plain: plain',
    'plain under hashed: hashed',
    'plain under off: off',
    'hashed under plain: hashed',
    'hashed under hashed: hashed',
    'hashed under off: off',
    'off under plain: off',
    'off under hashed: off',
    'off under off: off',
  ]);
});
