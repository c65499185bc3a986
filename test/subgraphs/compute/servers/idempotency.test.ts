// A request with an idempotency key begins one operation within a day, however often it is sent, also at the same moment.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { forgetRequests } from '../../../../subgraphs/compute/servers/services/begin-once.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

let world: ComputeWorld;
let id: string;
let theirs: string;
beforeAll(async () => {
  world = await startCompute();
  ({ id } = await world.built());
  ({ id: theirs } = await world.built({ accountId: 'acct_other' }));
});
afterAll(() => world.close());

const owner = { ...keyOf('acct_owner'), scopes: ['servers'] } as Viewer;
const other = sessionOf('acct_other');

interface Asked {
  field: 'serverAct' | 'serverReinstall' | 'vpsRestore';
  args: string;
  viewer?: Viewer;
  server?: string;
}
/** The id of the operation that an answer has, or the code of the refusal. */
async function ask({ field, args, viewer = owner, server = id }: Asked): Promise<string> {
  const { data, errors } = await world.ask(viewer, `mutation { ${field}(id: "${server}", ${args}) { id status } }`);
  return String(errors?.[0]?.extensions['code'] ?? (data as Record<string, { id: string }>)[field]?.id);
}
const act = (action: string, key: string, more: Partial<Asked> = {}) =>
  ask({ field: 'serverAct', args: `action: ${action}, idempotencyKey: "${key}"`, ...more });
const kept = () =>
  rowsOf<{ key: string; request_mac: string }>(world.query, 'compute.idempotent_request', {}, { columns: 'key, request_mac' });
const operations = () => rowsOf(world.query, 'compute.operation', {}, { columns: 'id' });

test('repeats get the operation of the first, while it runs and after it has ended', async () => {
  const first = await act('REBOOT', 'first-key');
  expect(first).toMatch(/^op_/);
  expect(await act('REBOOT', 'first-key')).toBe(first);
  await world.run();
  expect(await act('REBOOT', 'first-key')).toBe(first);
});

test('twelve at the same moment begin one', async () => {
  const before = await operations();
  const answers = await Promise.all(Array.from({ length: 12 }, () => act('REBOOT', 'storm-key')));
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^op_/);
  expect(await operations()).toHaveLength(before.length + 1);
  await world.run();
});

test('another action, and another server, with the same key are refused, and do nothing', async () => {
  const before = await operations();
  expect(await act('STOP', 'first-key')).toBe('idempotency_conflict');
  expect(await act('REBOOT', 'first-key', { server: theirs })).toBe('idempotency_conflict');
  expect(await operations()).toHaveLength(before.length);
});

test('keys of other accounts are other keys', async () => {
  const own = await act('REBOOT', 'first-key', { viewer: other, server: theirs });
  expect(own).toMatch(/^op_/);
  expect(own).not.toBe(await act('REBOOT', 'first-key'));
  await world.run();
});

test('what is refused frees its key', async () => {
  expect(await act('START', 'freed-key')).toBe('action_not_allowed');
  expect(await act('REBOOT', 'freed-key')).toMatch(/^op_/);
  await world.run();
});

test('a key of fewer than 8 or more than 255 characters is refused', async () => {
  for (const key of ['', 'seven77', 'x'.repeat(256)]) expect(await act('REBOOT', key)).toBe('parameter_invalid');
});

test('a password is a part of the request, and cannot be guessed from what is stored', async () => {
  const reinstall = (password: string) =>
    ask({ field: 'serverReinstall', args: `os: DEBIAN_13, password: "${password}", idempotencyKey: "password-key"` });
  const begun = await reinstall('Correct-Horse-1');
  expect(begun).toMatch(/^op_/);
  expect(await reinstall('Correct-Horse-2')).toBe('idempotency_conflict');
  expect(await reinstall('Correct-Horse-1')).toBe(begun);
  await world.run();
  const [row] = (await kept()).filter(({ key }) => key === 'password-key');
  const plain = `compute.idempotent_request ${JSON.stringify(['reinstall', id, 'DEBIAN_13', 'Correct-Horse-1', undefined])}`;
  expect(row?.request_mac).toHaveLength(43);
  expect(row?.request_mac).not.toBe(createHash('sha256').update(plain).digest('base64url'));
});

test('a backup that is not there leaves nothing behind', async () => {
  const args = `backup: "bak_x", hostname: "x", idempotencyKey: "restore-key"`;
  expect(await ask({ field: 'vpsRestore', args })).toBe('backup_not_found');
  expect((await kept()).map(({ key }) => key)).not.toContain('restore-key');
});

test('after a day a key is as new, also before it is swept', async () => {
  const first = await act('REBOOT', 'daily-key');
  await world.run();
  world.clock.advance(DAY - 3_600_000);
  expect(await act('REBOOT', 'daily-key')).toBe(first);
  world.clock.advance(3_600_000);
  expect(await act('STOP', 'daily-key')).toMatch(/^op_/);
  expect(await act('STOP', 'daily-key')).not.toBe(first);
  await forgetRequests(world.context());
  expect((await kept()).map(({ key }) => key)).toEqual(['daily-key']);
  world.clock.advance(DAY);
  await forgetRequests(world.context());
  expect(await kept()).toEqual([]);
});
