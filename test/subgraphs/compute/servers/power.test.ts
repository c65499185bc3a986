import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import type { EndpointName } from '../../../../sandbox/hypervisor/endpoints.ts';
import { HYPERVISOR_FAULTS } from '../../../../sandbox/hypervisor/faults.ts';
import { type ComputeWorld, startCompute } from '../world.ts';
import { dump } from '../../../kit/dump.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { planFaults } from '../../../kit/faults.ts';

let world: ComputeWorld;
let id: string;
const owner = sessionOf('acct_owner');
const machine = () => world.hypervisor.machine(id.replace('_', '-'));
beforeAll(async () => {
  world = await startCompute();
  ({ id } = await world.built());
});
afterAll(() => world.close());

interface Operation {
  command: string;
  status: string;
  progress: number;
  error: { code: string; message: string } | null;
}
type Answer = Operation | { refused: unknown; message: string | undefined };

async function act(mutation: string, viewer = owner, server = id): Promise<Answer> {
  const { data, errors } = await world.ask(
    viewer,
    `mutation ($id: ID!) { ${mutation}(id: $id) { command status progress error { code message } } }`,
    { id: server },
  );
  if (errors) return { refused: errors[0]?.extensions['code'], message: errors[0]?.message };
  return (data as Record<string, Operation>)[mutation] as Operation;
}
async function shown() {
  const { data } = await world.ask(
    owner,
    `query ($id: ID!) { server(id: $id) { powerState ... on Vps { status availableActions { action allowed reason } operations(limit: 1) { command status progress error { code message } } } } }`,
    { id },
  );
  return (
    data as {
      server: {
        powerState: string;
        status: string;
        availableActions: { action: string; allowed: boolean; reason: string | null }[];
        operations: Operation[];
      };
    }
  ).server;
}
async function reveal(viewer = owner): Promise<unknown> {
  const { data, errors } = await world.ask(viewer, `mutation ($id: ID!) { vpsRevealPassword(id: $id) }`, { id });
  return errors?.[0]?.extensions['code'] ?? data?.['vpsRevealPassword'];
}

beforeEach(async () => {
  await world.hypervisor.up(machine().node);
  await world.hypervisor.change(id.replace('_', '-'), (one) => (one.deaf = false));
  if ((await shown()).powerState !== 'RUNNING') {
    await reconcileMachines(world.context());
    if ((await shown()).powerState === 'STOPPED') await act('vpsStart');
    await world.run();
  }
  world.clock.advance(60_000);
  await world.hypervisor.tick();
  expect(await shown()).toMatchObject({ powerState: 'RUNNING', status: 'ACTIVE' });
});

test('stop, start, reboot and force stop leave product and hypervisor in agreement, step by step', async () => {
  expect(await act('vpsStop')).toMatchObject({ command: 'STOP', status: 'RUNNING', error: null });
  expect(await shown()).toMatchObject({ powerState: 'STOPPING' });
  await world.run();
  expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
  await act('vpsStart');
  expect(await shown()).toMatchObject({ powerState: 'STARTING' });
  await world.run();
  expect([(await shown()).powerState, machine().running]).toEqual(['RUNNING', true]);
  const booted = machine().startedAt ?? 0;
  world.clock.advance(60_000);
  await act('vpsReboot');
  expect(await shown()).toMatchObject({ powerState: 'RESTARTING' });
  await world.run();
  expect(machine().startedAt).toBeGreaterThan(booted);
  expect(await shown()).toMatchObject({ powerState: 'RUNNING', operations: [{ command: 'REBOOT', status: 'SUCCESS', progress: 100 }] });
  await act('vpsForceStop');
  await world.run();
  expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
});

test('what cannot be done now is refused with the reason that the page shows', async () => {
  expect(await act('vpsStart')).toEqual({ refused: 'action_not_allowed', message: 'The server must be stopped; it is running.' });
  await act('vpsReboot');
  const { availableActions } = await shown();
  const power = availableActions.filter(({ action }) => ['start', 'reboot', 'stop', 'force_stop', 'reset_password'].includes(action));
  expect(power.map(({ action, allowed }) => [action, allowed])).toEqual([
    ['start', false],
    ['reboot', false],
    ['stop', false],
    ['force_stop', true],
    ['reset_password', false],
  ]);
  for (const [mutation, action] of [
    ['vpsStart', 'start'],
    ['vpsReboot', 'reboot'],
    ['vpsStop', 'stop'],
    ['vpsResetPassword', 'reset_password'],
  ] as const)
    expect(await act(mutation)).toEqual({
      refused: 'action_not_allowed',
      message: availableActions.find((row) => row.action === action)?.reason,
    });
  await world.run();
});

test('a guest that does not react is left running, the stop has failed, and force stop is the way out', async () => {
  await world.hypervisor.change(id.replace('_', '-'), (one) => (one.deaf = true));
  await act('vpsStop');
  await world.run();
  expect(await shown()).toMatchObject({
    powerState: 'RUNNING',
    operations: [{ command: 'STOP', status: 'ERROR', error: { code: 'operation_failed' } }],
  });
  await act('vpsStop');
  await world.run(4);
  expect(await act('vpsForceStop')).toMatchObject({ command: 'FORCE_STOP' });
  await world.run();
  expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
  expect(await rowsOf(world.query, 'compute.operation', { server_id: id, error_code: 'superseded' })).toHaveLength(1);
});

test('a new password is set inside, revealed to the owner alone, and stored sealed', async () => {
  const before = await reveal();
  await act('vpsResetPassword');
  expect(await reveal()).toBe(before);
  await world.run();
  const after = (await reveal()) as string;
  expect(after).toMatch(/^[0-9A-Za-z]{20}$/);
  expect(after).not.toBe(before);
  expect(machine().users).toEqual({ ubuntu: after });
  expect(await reveal(sessionOf('acct_other'))).toBe('server_not_found');
  expect(await reveal(sessionOf('acct_staff', true))).toBe('server_not_found');
  expect(await reveal(keyOf('acct_owner'))).toBe('forbidden');
  expect(await reveal(anonymous)).toBe('session_invalid');
  const tables = await dump(world.query);
  expect(tables.get('compute.server')).toHaveLength(1);
  const hex = Buffer.from(after).toString('hex');
  expect([...tables.values()].flat().filter((row) => row.includes(after) || row.includes(hex))).toEqual([]);
});

test('another account’s server, and one that never was, are not found; an id with U+0000 is refused', async () => {
  expect(await act('vpsStop', sessionOf('acct_other'))).toMatchObject({ refused: 'server_not_found' });
  expect(await act('vpsStop', owner, newId('vps', systemClock))).toMatchObject({ refused: 'server_not_found' });
  expect(await act('vpsStop', owner, `${id}\u0000`)).toMatchObject({ refused: 'parameter_invalid' });
});

test('of twenty who press at once, one begins', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => act(['vpsReboot', 'vpsStop'][index % 2] ?? '')));
  expect(answers.filter((answer) => 'command' in answer)).toHaveLength(1);
  expect(new Set(answers.flatMap((answer) => ('refused' in answer ? [answer.refused] : [])))).toEqual(new Set(['action_not_allowed']));
  await world.run();
});

test('what changes at the hypervisor without us is noticed', async () => {
  await world.hypervisor.change(id.replace('_', '-'), (one) => Object.assign(one, { running: false, startedAt: null, bootedAt: null }));
  await reconcileMachines(world.context());
  expect(await shown()).toMatchObject({ powerState: 'STOPPED' });
});

test('a subscriber hears of each change of his own servers', async () => {
  const watch = async (accountId: string) =>
    (await world.subscribe(sessionOf(accountId), 'subscription { vpsChanged { id powerState } }')) as AsyncIterableIterator<{
      data: unknown;
    }>;
  const [mine, theirs] = [await watch('acct_owner'), await watch('acct_other')];
  // An update about the start before may still arrive: it is skipped.
  const heard = (async () => {
    for (;;) {
      const next = await mine.next();
      if ((next.value as { data?: { vpsChanged: { powerState: string } } }).data?.vpsChanged.powerState !== 'RUNNING') return next;
    }
  })();
  const notHeard = theirs.next();
  await act('vpsStop');
  expect((await heard).value).toMatchObject({ data: { vpsChanged: { id, powerState: 'STOPPING' } } });
  await theirs.return?.();
  expect((await notHeard).done).toBe(true);
  await mine.return?.();
  await world.run();
});

/** Actions: mutation, command, and the calls to the hypervisor that it makes. */
const ACTIONS: [string, string, EndpointName[]][] = [
  ['vpsReboot', 'REBOOT', ['current', 'reboot', 'task']],
  ['vpsStop', 'STOP', ['current', 'shutdown', 'task']],
  // The power is off at once, so the task is never read.
  ['vpsForceStop', 'FORCE_STOP', ['current', 'stop']],
  ['vpsResetPassword', 'RESET_PASSWORD', ['password']],
];

describe.each(ACTIONS)('%s', (mutation, command, calls) => {
  test.each(faultPairs(calls, HYPERVISOR_FAULTS))(
    'in spite of trouble with %s by %s comes to an end, and both sides agree',
    async (call, fault) => {
      planFaults(world.hypervisor.faults.next, { fault, on: call });
      await act(mutation);
      await world.run(400);
      expect(world.hypervisor.faults.next).toEqual([]);
      await world.hypervisor.up(machine().node);
      expect(await world.run(400)).toBe(0);
      await reconcileMachines(world.context());
      const { powerState, operations } = await shown();
      expect(operations[0]?.command).toBe(command);
      expect(operations[0]?.status).not.toBe('RUNNING');
      if (fault !== 'node_down') expect(operations[0]?.status).toBe('SUCCESS');
      expect(powerState).toBe(machine().running ? 'RUNNING' : 'STOPPED');
    },
  );
});
