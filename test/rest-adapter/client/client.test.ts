// The client against the whole platform: from the source, and as a plain program meets the package that npm packs.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type EgressClient, createClient } from '../../../rest-adapter/client/index.ts';
import { type StackWorld, startStackWorld } from '../stack-world.ts';
import { computeTables } from '../../subgraphs/compute/tables.ts';
import { addRow, setRows } from '../../kit/tables.ts';
import { apply, destroy, plan } from './declared-state.ts';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('../../../rest-adapter/client/', import.meta.url));
const TSC = fileURLToPath(new URL('../../../node_modules/@typescript/native/bin/tsc', import.meta.url));

let world: StackWorld;
let client: EgressClient;
let key: string;
beforeAll(async () => {
  world = await startStackWorld();
  key = await world.keyFor('read', 'generate', 'webhooks');
  client = createClient({ url: world.url, key });
});
afterAll(() => world?.close());

test('plans, lines, usage and statistics are read with their types', async () => {
  const { plans } = await client.listResidentialPlans();
  expect(plans.map(({ product_id }) => product_id)).toContain(world.plans.premium);
  const product_id = world.plans.premium;
  const { proxies, count } = await client.generateResidentialProxies({ product_id, pool: 'Germany', quantity: 3, sticky: true, time: 30 });
  expect([proxies.length, count]).toEqual([3, 3]);
  expect(await client.getResidentialUsage({ product_id })).toMatchObject({ total_data: 5, used_data: 1.234567 });
  const { days } = await client.getResidentialStatistics({ product_id });
  expect(Object.values(days).reduce((sum, mb) => sum + mb, 0)).toBeCloseTo(1_234.568, 2);
});

test('a refusal is an error with the code, the field and what would be accepted', async () => {
  const asked = client.generateResidentialProxies({ product_id: world.plans.premium, pool: 'Germany', quantity: 1, sticky: true, time: 7 });
  await expect(asked).rejects.toMatchObject({
    name: 'EgressRefusal',
    status: 400,
    code: 'time_not_allowed',
    requestId: expect.stringMatching(/^req_/),
    meta: { field: 'time', allowed: [30, 60, 120, 240] },
  });
  await expect(createClient({ url: world.url, key: world.unknownKey }).listWebhooks()).rejects.toMatchObject({ status: 401 });
});

test('lists with pages are read to their end', async () => {
  const product_id = world.plans.mobile;
  for (const name of ['a', 'b', 'c', 'd', 'e']) await client.createProxyUser({ product_id, name });
  const names: string[] = [];
  for await (const { name } of client.eachProxyUser({ product_id, limit: 2 })) names.push(name);
  expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('servers of the account alone are listed by kind and state, and read with what is done to them', async () => {
  const { query } = world.stack.database;
  const [owner, stranger] = [await world.stack.seed.account(), await world.stack.seed.account()];
  const { addServer } = computeTables(query);
  const [vps, gone, dedicated, foreign] = [
    `vps_${'1'.repeat(26)}`,
    `vps_${'2'.repeat(26)}`,
    `ded_${'3'.repeat(26)}`,
    `vps_${'4'.repeat(26)}`,
  ];
  await addServer({ id: vps, accountId: owner.id, hostname: 'web-1' });
  await addServer({ id: gone, accountId: owner.id, status: 'REMOVED', hostname: 'web-0' });
  await addServer({ id: dedicated, kind: 'DEDICATED', planCode: 'FARADAY', accountId: owner.id, hostname: 'db-1' });
  await addServer({ id: foreign, accountId: stranger.id });
  const mine = createClient({ url: world.url, key: (await owner.apiKey({ scopes: ['servers'] })).key });
  const ids = async (input: Parameters<EgressClient['listServers']>[0]) =>
    (await mine.listServers(input)).servers.map((one) => one.server_id);
  expect((await ids({})).toSorted()).toEqual([dedicated, vps, gone]);
  expect(await ids({ state: 'removed' })).toEqual([gone]);
  expect(await ids({ kind: 'dedicated', state: 'active' })).toEqual([dedicated]);
  expect(await mine.listServers({ limit: 2, page: 2 })).toMatchObject({ servers: [{}], total: 3, currentPage: 2, totalPages: 2 });
  expect((await mine.getServer({ server_id: dedicated })).server).toMatchObject({
    kind: 'dedicated',
    state: 'active',
    power: 'running',
    name: 'db-1',
  });

  const id = `op_${'5'.repeat(26)}`;
  const reboot = { id, server_id: vps, account_id: owner.id, command: 'REBOOT', step: 'RESTART', started_at: 'now', status: 'RUNNING' };
  await addRow(query, 'compute.operation', { ...reboot, next_at: 'infinity' });
  expect((await mine.listServerOperations({ server_id: vps })).operations).toMatchObject([{ operation_id: id, command: 'reboot' }]);
  const earlier = {
    ...reboot,
    id: `op_${'4'.repeat(26)}`,
    command: 'STOP',
    status: 'SUCCESS',
    started_at: '2026-01-01',
    finished_at: 'now',
  };
  await addRow(query, 'compute.operation', { ...earlier, next_at: 'infinity' });
  const commands: string[] = [];
  for await (const one of mine.eachServerOperation({ server_id: vps, limit: 1 })) commands.push(one.command);
  expect(commands).toEqual(['reboot', 'stop']);
  const { operation } = await mine.getServerOperation({ server_id: vps, operation_id: id });
  expect(operation).toMatchObject({ status: 'running', step: 'restart', finished_at: null, error: null });
  const other = { server_id: dedicated, operation_id: id };
  await expect(mine.getServerOperation(other)).rejects.toMatchObject({
    code: 'server_operation_not_found',
    meta: { field: 'operation_id' },
  });
  await expect(mine.getServer({ server_id: foreign })).rejects.toMatchObject({ code: 'server_not_found', meta: { field: 'server_id' } });
  await expect(mine.listServers({ state: 'moon' as 'active' })).rejects.toMatchObject({
    code: 'parameter_invalid',
    meta: { field: 'state' },
  });
  await expect(client.listServers({})).rejects.toMatchObject({ status: 403, meta: { required_scope: 'servers' } });
});

test('a server is acted on once for each idempotency key, whoever sends it', async () => {
  const owner = await world.stack.seed.account();
  const server_id = `ded_${'6'.repeat(26)}`;
  const { addServer } = computeTables(world.stack.database.query);
  await addServer({ id: server_id, kind: 'DEDICATED', planCode: 'FARADAY', accountId: owner.id });
  const { key } = await owner.apiKey({ scopes: ['servers'] });
  async function reinstall(body: object, idempotencyKey?: string) {
    const response = await fetch(`${world.url}/v1/servers/${server_id}/actions/reinstall`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { statusCode: number; data?: { operation: { operation_id: string } }; meta?: object };
    expect(answer.statusCode).toBe(response.status);
    return answer;
  }
  const first = await reinstall({ os: 'debian_13' }, '"deploy \\"of\\" today"');
  expect(first).toMatchObject({ statusCode: 202, success: true, data: { operation: { command: 'reinstall', status: 'running' } } });
  const operation_id = first.data?.operation.operation_id ?? '';
  expect((await reinstall({ os: 'debian_13' }, 'deploy "of" today')).data?.operation.operation_id).toBe(operation_id);
  expect(await reinstall({ os: 'debian_12' }, 'deploy "of" today')).toMatchObject({
    statusCode: 422,
    meta: { code: 'idempotency_conflict', field: 'Idempotency-Key' },
  });
  expect(await reinstall({ os: 'debian_13' }, 'short')).toMatchObject({
    statusCode: 400,
    meta: { code: 'parameter_invalid', field: 'Idempotency-Key' },
  });
  await setRows(world.stack.database.query, 'compute.server', { protected: true }, { id: server_id });
  expect(await reinstall({ os: 'debian_13' })).toMatchObject({ statusCode: 409, meta: { code: 'action_not_allowed' } });

  const mine = createClient({ url: world.url, key });
  const again = await mine.reinstallServer({ server_id, os: 'debian_13' }, { idempotencyKey: 'deploy "of" today' });
  expect(again.operation.operation_id).toBe(operation_id);
  expect((await mine.getServerOperation({ server_id, operation_id })).operation.command).toBe('reinstall');
  await expect(mine.rebootServer({ server_id })).rejects.toMatchObject({ status: 409, code: 'action_not_allowed' });
  await expect(mine.takeServerBackup({ server_id })).rejects.toMatchObject({ status: 409 });
  expect(await mine.listServerBackups({ server_id })).toEqual({ enabled: false, last_at: null, next_at: null, backups: [] });
  expect((await mine.changeServer({ server_id, name: 'Shop' })).server.name).toBe('Shop');
  expect((await mine.changeServer({ server_id, name: '' })).server.name).toBe('web-1');
  await expect(mine.setServerReverseName({ server_id, ip: '203.0.113.7' })).rejects.toMatchObject({ status: 400, meta: { field: 'ip' } });
  await expect(client.startServer({ server_id })).rejects.toMatchObject({ status: 403, meta: { required_scope: 'servers' } });
});

test('what is declared is planned, applied once, changed and destroyed, and a second time there is nothing to do', async () => {
  const declared = {
    product_id: world.plans.premium,
    users: { crawler: { daily_limit_gb: 1, targets: ['shop.example'] }, monitor: {}, checker: { total_limit_gb: 2 } },
    webhooks: { 'https://shop.example/hooks': { description: 'The shop', event_types: ['residential_plan.paused'] } },
  };
  expect((await plan(client, declared)).map(({ does }) => does)).toEqual(['create', 'create', 'create', 'create']);
  expect(await apply(client, declared)).toHaveLength(4);
  expect(await plan(client, declared)).toEqual([]);
  expect(await apply(client, declared)).toEqual([]);
  const changed = { ...declared, users: { crawler: { daily_limit_gb: 2, targets: ['shop.example'] }, checker: { total_limit_gb: 2 } } };
  expect(await apply(client, changed)).toEqual(['change user crawler', 'remove user monitor']);
  expect(await plan(client, changed)).toEqual([]);
  expect(await destroy(client, changed)).toHaveLength(3);
  expect(await destroy(client, changed)).toEqual([]);
});

test('the package that npm packs has no dependency, and a program in plain JavaScript and one in TypeScript use it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const npm = (...words: string[]) =>
    run('npm', [...words, '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')], { cwd: folder });
  await npm('pack', CLIENT, '--pack-destination', folder);
  const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await npm('install', join(folder, packed));
  const own = JSON.parse(readFileSync(join(folder, 'node_modules/egress-client/package.json'), 'utf8')) as object;
  expect(own).not.toHaveProperty('dependencies');
  writeFileSync(
    join(folder, 'program.js'),
    `import { createClient, EgressRefusal } from 'egress-client';
const client = createClient({ url: process.argv[2], key: process.argv[3] });
const { plans } = await client.listResidentialPlans();
const code = await client.getWebhook({ webhook_id: 'x' }).catch((error) => error instanceof EgressRefusal && error.code);
console.log(JSON.stringify([plans.length, code]));\n`,
  );
  const { stdout } = await run(process.execPath, ['program.js', world.url, key], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([(await client.listResidentialPlans()).plans.length, 'webhook_not_found']);

  const program = (input: string) =>
    `import { type StaticPlan, createClient } from 'egress-client';
const client = createClient({ url: 'https://egress.example', key: 'k' });
for await (const plan of client.eachStaticPlan(${input})) { const one: StaticPlan = plan; void one.proxies.length; }\n`;
  writeFileSync(join(folder, 'right.ts'), program(`{ productType: 'isp' }`));
  writeFileSync(join(folder, 'wrong.ts'), program(`{ productType: 'moon' }`));
  const types = (file: string) =>
    run(process.execPath, [TSC, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', file], {
      cwd: folder,
    });
  await types('right.ts');
  await expect(types('wrong.ts')).rejects.toMatchObject({ stdout: expect.stringMatching(/"moon"|'"moon"'/) });
});
