// Restores a platform on an external database server to a moment, with pg_basebackup and pg_receivewal. Runs only where PostgreSQL is installed.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withClient } from '#platform/database-client.ts';
import { type Child, runChild } from '../../../../kit/child.ts';
import { type Cluster, adoptCluster, createCluster, installedServer } from '../../../../kit/cluster.ts';
import { buyPackage } from '../../../../kit/purchase.ts';
import { type Stack, startStack } from '../../../../kit/stack.ts';
import { rowsOf } from '../../../../kit/tables.ts';
import { PASSPHRASE, endKeeper, keeperSettings, plansIn, scratchFolder, serverNow, startKeeper } from './backup-world.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe.skipIf(!installedServer())('the log of an outside server', () => {
  let scratch: ReturnType<typeof scratchFolder>;
  let primary: Cluster;
  let stack: Stack;
  let keeper: Child;
  const plans: string[] = [];
  let moment: Date;
  let base: string;

  beforeAll(async () => {
    scratch = scratchFolder();
    primary = await createCluster();
    await primary.start();
    stack = await startStack({ databaseUrl: primary.url });
    const buyer = await stack.seed.account();
    const buy = async () => void plans.push((await buyPackage(stack, buyer)).planId);
    keeper = await startKeeper({ DATABASE_URL: primary.url, ...keeperSettings(scratch) });
    await buy();
    moment = await serverNow(primary.url);
    await withClient(primary.url, (client) => client.query('select pg_switch_wal()'));
    await buy();
    base = await endKeeper(keeper, scratch);
  });
  afterAll(async () => {
    keeper?.process.kill('SIGKILL');
    await stack?.close();
    await primary?.remove();
    scratch?.remove();
  });

  async function plansAt(place: string, to: string): Promise<string[]> {
    const restored = runChild('restore.ts', { DATA_DIR: scratch.at(place), BACKUP_PASSPHRASE: PASSPHRASE }, [base, '--to', to]);
    expect(await restored.ended, restored.text()).toBe(0);
    expect(restored.text()).toMatch(
      /^The folder of the server is .*\/cluster\/data: start PostgreSQL \d+ on it, as the user that owns it\.\n/,
    );
    const server = await adoptCluster(join(scratch.at(place), 'cluster'));
    try {
      await server.start();
      await withClient(server.url, async (client) => {
        await expect
          .poll(async () => (await client.query('select pg_is_in_recovery() as reads')).rows, { timeout: 30_000 })
          .toEqual([{ reads: false }]);
      });
      return await plansIn(server.url);
    } finally {
      await server.remove();
    }
  }

  test('takes a copy of its folder on to a moment, or as far as it goes', async () => {
    expect(await plansAt('then', moment.toISOString())).toEqual(plans.slice(0, 1));
    expect(await plansAt('end', 'latest')).toEqual(plans.toSorted());
  });

  test('is not kept any more by the server once it is kept elsewhere', async () => {
    const slots = await withClient(primary.url, (client) => {
      const query = async <Row extends object>(sql: string, values: unknown[] = []) => (await client.query<Row>(sql, values)).rows;
      const columns = 'pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) < 2 * 16777216 as held';
      return rowsOf(query, 'pg_replication_slots', { slot_name: 'egress_log' }, { columns });
    });
    expect(slots).toEqual([{ held: true }]);
  });
});
