// Runs only residential in this process, on a database with full durability.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#platform/log.ts';
import { openPlatform } from '#platform/platform.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { readConfig } from '../../../configuration.ts';
import type { Context } from '../../../subgraphs/residential/providers.ts';
import { seal } from '#platform/sealing.ts';
import { secretsOf } from '#platform/secrets.ts';
import { residential } from '../../../subgraphs/residential/subgraph.ts';
import { NOWHERE, givenVendors } from '../../kit/nowhere.ts';

/** Shared by several processes on one database. */
const SECRET = 'the master secret of every collector of a bench';

/** `close` removes `dataDir`; a process that may be killed gets one that its parent removes. */
export async function openResidential(databaseUrl: string, dataDir = mkdtempSync(join(tmpdir(), 'egress-metering-'))) {
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: dataDir, SECRET, DATABASE_POOL: '8' });
  const platform = await openPlatform(config, databaseUrl, givenVendors(NOWHERE), { log: silentLog });
  const subgraph = await startSubgraph(platform, residential, { work: false });
  return {
    platform,
    subgraph,
    context: (): Context => subgraph.systemContext('bench'),
    async close() {
      await subgraph.close();
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Residential = Awaited<ReturnType<typeof openResidential>>;

export interface BenchPlan {
  id: string;
  accountId: string;
  username: string;
}

/** Creates plans by SQL: `perAccount` for each of `accounts`, all of them large. Ids have the product's format. */
export async function makePlans(
  query: (sql: string, values?: unknown[]) => Promise<unknown>,
  accounts: number,
  perAccount: number,
): Promise<void> {
  await query(
    `insert into residential.plan (id, account_id, order_id, product, username, password_sealed, password_fingerprint, total_bytes, session_stride, session_next, created_at)
     select 'plan_' || lpad(n::text, 26, '0'), 'acct_' || lpad((n % $1::int)::text, 26, '0'), 'ord_' || n, 'PREMIUM', 'u' || lpad(n::text, 9, '0'),
       decode(repeat('00', 48), 'hex'), decode(repeat('00', 32), 'hex'), 1000000000000000, 12345679, 0, timestamptz '2026-01-01' + (n || ' seconds')::interval
     from generate_series(0, $1::int * $2::int - 1) n`,
    [accounts, perAccount],
  );
  // At its start the platform checks that its secret can decrypt the last one.
  const { id } = planAt(accounts * perAccount - 1, accounts);
  const { sealing } = secretsOf({ SECRET, DATA_DIR: '' });
  await query('update residential.plan set password_sealed = $2 where id = $1', [id, seal('a password of a bench', sealing, id)]);
}

/** The plan that `makePlans` created at this position. */
export const planAt = (place: number, accounts: number): BenchPlan => ({
  id: `plan_${String(place).padStart(26, '0')}`,
  accountId: `acct_${String(place % accounts).padStart(26, '0')}`,
  username: `u${String(place).padStart(9, '0')}`,
});
