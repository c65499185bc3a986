// A platform over a database that is backed up, the folders for it, and what is bought there before and after.
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

/** Folders below one that goes at the end. */
export function scratchFolder() {
  const root = mkdtempSync(join(tmpdir(), 'egress-backup-'));
  // The server's own user has to come in; elsewhere its folder would outlive the test.
  chmodSync(root, 0o711);
  return { at: (name: string) => join(root, name), remove: () => rmSync(root, { recursive: true }) };
}

type Scratch = ReturnType<typeof scratchFolder>;

/** What the process that keeps the log of a server is told. */
export const keeperSettings = (scratch: Scratch) => ({
  DATA_DIR: scratch.at('data'),
  SECRET,
  BACKUP_PASSPHRASE: PASSPHRASE,
  BACKUP_DIR: scratch.at('backups'),
  BACKUP_EVERY_HOURS: '24',
  BACKUP_LOG_SECONDS: '1',
});

/** Keeps the log of a server, beside a first backup of it. */
export async function startKeeper(settings: Record<string, string>): Promise<Child> {
  const keeper = runChild('backup.ts', settings, ['--follow']);
  await keeper.said('The log is kept in').catch((error: unknown) => {
    keeper.process.kill('SIGKILL');
    throw error;
  });
  return keeper;
}

/** Ends it as an operator does. The folder of the backup that it made. */
export async function endKeeper(keeper: Child, scratch: Scratch): Promise<string> {
  keeper.process.kill('SIGTERM');
  const status = await keeper.ended;
  if (status !== 0) throw new Error(`the log was not kept to its end: ${keeper.text()}`);
  const [name = ''] = readdirSync(scratch.at('backups')).filter((found) => found !== 'log');
  return join(scratch.at('backups'), name);
}

/** The moment of a server, by its own clock. */
export const serverNow = (url: string): Promise<Date> =>
  withClient(url, async (client) => (await client.query<{ at: Date }>('select clock_timestamp() as at')).rows[0]!.at);

export const configOf = (more: Record<string, string>): StorageConfig => readStorageConfig({ NODE_ENV: 'test', SECRET, ...more });

export const backUp = (order: Pick<BackupOrder, 'folder' | 'config' | 'embedded'> & Partial<BackupOrder>) =>
  takeBackup({ passphrase: PASSPHRASE, operatorFiles: {}, version: '0.0.0', ...order });

export const restore = (folder: string, config: Pick<StorageConfig, 'DATABASE_URL' | 'DATA_DIR'>, passphrase = PASSPHRASE) =>
  restoreBackup({ folder, passphrase, config });

export interface Bought {
  buyer: SeededAccount;
  /** Ids of plans whose order was told to be fulfilled, in that order. */
  plans: string[];
}

interface Buying {
  stop(): Promise<void>;
  count(count: number): Promise<void>;
  /** What was told to be fulfilled until a moment. */
  until(moment: string): string[];
}

/** Buys again and again until it is told to stop. */
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
    until: (moment) => bought.plans.filter((planId) => (toldAt.get(planId) ?? Number.POSITIVE_INFINITY) <= Date.parse(moment)),
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
  /** Of a purchase that is made there. */
  status: string;
}

/** Ids of the plans of a database, in order. */
export const plansIn = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const query = async <Row extends object>(sql: string, values: unknown[] = []) => (await client.query<Row>(sql, values)).rows;
    return (await rowsOf<{ id: string }>(query, 'residential.plan')).map(({ id }) => id).toSorted();
  });

/** What a restored database has, and whether it sells. */
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
