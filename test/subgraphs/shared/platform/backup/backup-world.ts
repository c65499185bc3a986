// Helpers for tests of backups: scratch folders, backups and restores, and purchases before and after them.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { withClient } from '#platform/database-client.ts';
import { type StorageConfig, readStorageConfig } from '#platform/config.ts';
import { restoreBackup } from '#platform/backup/restore-backup.ts';
import { type BackupOrder, takeBackup } from '#platform/backup/take-backup.ts';
import { auditBooks } from '../../../../../subgraphs/accounts/billing/ledger/entities/uneven-books.ts';
import { createSession } from '../../../../../subgraphs/accounts/identity/services/log-in.ts';
import { type Child, runChild } from '../../../../kit/child.ts';
import { anonymous } from '../../../../kit/platform.ts';
import { buyPackage } from '../../../../kit/purchase.ts';
import type { SeededAccount } from '../../../../kit/seed.ts';
import { type Stack, startStack } from '../../../../kit/stack.ts';
import { rowsOf } from '../../../../kit/tables.ts';
import { systemClock } from '#platform/clock.ts';

export const PASSPHRASE = 'correct horse battery';
export const SECRET = 'a master secret that all test platforms have';

/** Makes a temporary folder: `at` names a path in it, `remove` deletes it. */
export function scratchFolder() {
  const root = mkdtempSync(join(tmpdir(), 'egress-backup-'));
  // The database server's user must be able to enter; in another place its folder would outlive the test.
  chmodSync(root, 0o711);
  return { at: (name: string) => join(root, name), remove: () => rmSync(root, { recursive: true }) };
}

type Scratch = ReturnType<typeof scratchFolder>;

/** The settings of the process that keeps a database server's log. */
export const keeperSettings = (scratch: Scratch) => ({
  DATA_DIR: scratch.at('data'),
  SECRET,
  BACKUP_PASSPHRASE: PASSPHRASE,
  BACKUP_DIR: scratch.at('backups'),
  BACKUP_EVERY_HOURS: '24',
  BACKUP_LOG_SECONDS: '1',
});

/** Starts the process that takes a first backup of a server and keeps its log from then on. */
export async function startKeeper(settings: Record<string, string>): Promise<Child> {
  const keeper = runChild('backup.ts', settings, ['--follow']);
  await keeper.said('The log is kept in').catch((error: unknown) => {
    keeper.process.kill('SIGKILL');
    throw error;
  });
  return keeper;
}

/** Ends that process as an operator does. Returns the folder of the backup that it made. */
export async function endKeeper(keeper: Child, scratch: Scratch): Promise<string> {
  keeper.process.kill('SIGTERM');
  const status = await keeper.ended;
  if (status !== 0) throw new Error(`the log was not kept to its end: ${keeper.text()}`);
  const [name = ''] = readdirSync(scratch.at('backups')).filter((found) => found !== 'log');
  return join(scratch.at('backups'), name);
}

/** The present time by the database server's clock. */
export const serverNow = (url: string): Promise<Date> =>
  withClient(url, async (client) => (await client.query<{ at: Date }>('select clock_timestamp() as at')).rows[0]!.at);

export const configOf = (more: Record<string, string>): StorageConfig => readStorageConfig({ NODE_ENV: 'test', SECRET, ...more });

export const backUp = (order: Pick<BackupOrder, 'folder' | 'config' | 'embedded'> & Partial<BackupOrder>) =>
  takeBackup({ passphrase: PASSPHRASE, operatorFiles: {}, version: '0.0.0', ...order });

export const restore = (folder: string, config: Pick<StorageConfig, 'DATABASE_URL' | 'DATA_DIR'>, passphrase = PASSPHRASE) =>
  restoreBackup({ folder, passphrase, config });

export interface Bought {
  buyer: SeededAccount;
  /** The ids of plans whose order the API showed as fulfilled, in the order in which it did. */
  plans: string[];
}

interface Buying {
  stop(): Promise<void>;
  count(count: number): Promise<void>;
  /** The ids of plans whose order was shown as fulfilled before a moment. */
  until(moment: string): string[];
}

/** Buys one package after another until `stop` is called. */
export function keepBuying(stack: Stack, bought: Bought): Buying {
  let going = true;
  const toldAt = new Map<string, number>();
  const counted = new Set<{ count: number; reached: () => void }>();
  const buying = (async () => {
    while (going) {
      const { status, planId } = await buyPackage(stack, bought.buyer);
      if (status !== 'FULFILLED') throw new Error(`an order is ${status}`);
      bought.plans.push(planId);
      toldAt.set(planId, systemClock.now().getTime());
      for (const wait of counted) if (bought.plans.length >= wait.count) wait.reached();
    }
  })();
  return {
    stop() {
      going = false;
      return buying;
    },
    until: (moment) => bought.plans.filter((planId) => (toldAt.get(planId) ?? Number.POSITIVE_INFINITY) < Date.parse(moment)),
    count: (more) =>
      Promise.race([
        new Promise<void>((reached) => counted.add({ count: bought.plans.length + more, reached })),
        buying.then(() => Promise.reject(new Error('nobody buys any more'))),
      ]),
  };
}

export interface Found {
  plans: string[];
  uneven: unknown[];
  journals: number;
  /** The status of an order that is placed in the restored database. */
  status: string;
}

/** The ids of all residential plans of a database, sorted. */
export const plansIn = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const query = async <Row extends object>(sql: string, values: unknown[] = []) => (await client.query<Row>(sql, values)).rows;
    return (await rowsOf<{ id: string }>(query, 'residential.plan')).map(({ id }) => id).toSorted();
  });

/** Starts a platform on a restored database: reads the buyer's plans, audits the ledger, and makes a purchase. */
export async function lookInto(databaseUrl: string, { email, password, ...buyer }: SeededAccount): Promise<Found> {
  const stack = await startStack({ databaseUrl });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const query = async <Row extends object>(sql: string, values: unknown[] = []) => (await client.query<Row>(sql, values)).rows;
  try {
    const { accounts } = stack.subgraphs;
    const { uneven, journals } = await auditBooks(accounts.systemContext('test').em);
    const plans = await rowsOf<{ id: string }>(query, 'residential.plan', { account_id: buyer.id });
    const { token } = await createSession(accounts.context(anonymous), { email, password });
    const { status } = await buyPackage(stack, { ...buyer, email, password, cookie: async () => `egress_session=${token}` });
    return { plans: plans.map(({ id }) => id), uneven, journals, status };
  } finally {
    await client.end();
    await stack.close();
  }
}
