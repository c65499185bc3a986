// Brings a database to the present schema: the numbered files of migrations/, forward only, then the job queue's own tables. Several starts at once wait for
// each other. A statement does not wait long for a lock, because others would queue behind it while a long read holds the lock.
import { setTimeout as pause } from 'node:timers/promises';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { withClient } from './database-client.ts';
import { SECOND } from './clock.ts';
import { JOBS_SCHEMA } from './jobs.ts';
import { type MigrationFile, migrationFiles, numberOf } from './migration-file.ts';
import { type SchemaState, readSchemaState, refuseNewerSchema } from './schema-state.ts';
import { ROLES, checkRoles, grantDefaults, makeRoles } from './schema-roles.ts';
import { StartFailure } from './start-failure.ts';

export interface MigrateOptions {
  /** Replaces the files of migrations/. */
  files?: readonly MigrationFile[];
  /** Milliseconds that a statement waits for a lock before its migration is rolled back and tried again. */
  lockMs?: number;
  /** Milliseconds before each further try; after the last one the migration fails. */
  pausesMs?: readonly number[];
  /** Called with progress messages for the operator. */
  say?: (line: string) => void;
}

const LOCK_MS = 3 * SECOND;
const PAUSES_MS = [1, 2, 4, 8, 15, 30, 30, 30].map((seconds) => seconds * SECOND);
const LOOK_MS = { first: 50, max: SECOND };
const HISTORY = 'egress_migration';
/** PostgreSQL's lock_not_available and deadlock_detected. */
const LOCKED: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/** Subgraphs enqueue jobs inside their own transactions, with their own roles. */
const JOB_GRANTS = `
  grant usage on schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
  grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
  grant execute on all functions in schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
  grant usage on all sequences in schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
`;

/** Finds jobs that were given up without a scan of all finished ones. */
const FAILED_JOBS = `create index if not exists job_failed on ${JOBS_SCHEMA}.job (name, completed_on) where state = 'failed'`;

/** Which migrations the database has; changes nothing. `url` must connect as the owner. */
export const schemaState = (url: string, files: readonly MigrationFile[] = migrationFiles()): Promise<SchemaState> =>
  withClient(url, (client) => readSchemaState(client, files));

/** Runs the pending migrations and returns their names. `url` must connect as the owner. Throws a StartFailure when the schema is too new for this program. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const files = options.files ?? migrationFiles();
  const guard = new Client({ connectionString: url });
  guard.on('error', () => {});
  await guard.connect();
  try {
    await takeTurn(guard, options.say);
    const state = await readSchemaState(guard, files);
    refuseNewerSchema(state);
    if (state.applied.length === 0) await makeRoles(guard);
    await checkRoles(guard);
    const run = new Run(url, guard, options);
    await run.waitForLocks();
    for (const file of state.pending) await run.apply(file);
    await run.again(JOBS_SCHEMA, async () => {
      const boss = new PgBoss({
        connectionString: url,
        options: run.waitingForLocks,
        schema: JOBS_SCHEMA,
        supervise: false,
        schedule: false,
      });
      boss.on('error', () => {});
      await boss.start();
      await boss.stop({ graceful: false });
      await guard.query(FAILED_JOBS);
      await guard.query(JOB_GRANTS);
      await grantDefaults(guard);
    });
    return state.pending.map(({ name }) => name);
  } finally {
    await guard.end();
  }
}

/**
 * Polls for the lock: CREATE INDEX CONCURRENTLY waits for every statement in progress, so a process that waited inside a statement would make both wait
 * forever.
 */
async function takeTurn(guard: Client, say?: (line: string) => void): Promise<void> {
  for (let look = 0; ; look = Math.min(LOOK_MS.max, 2 * look || LOOK_MS.first)) {
    const { rows } = await guard.query<{ mine: boolean }>(`select pg_try_advisory_lock(hashtext('egress migrate')) as mine`);
    if (rows[0]?.mine) return;
    if (look === LOOK_MS.first) say?.('Another process migrates: waiting for it.');
    await pause(look || LOOK_MS.first);
  }
}

class Run {
  readonly #url: string;
  readonly #guard: Client;
  readonly #options: MigrateOptions;
  readonly #lockMs: number;

  constructor(url: string, guard: Client, options: MigrateOptions) {
    this.#url = url;
    this.#guard = guard;
    this.#options = options;
    this.#lockMs = options.lockMs ?? LOCK_MS;
  }

  /** The connection options that set this lock timeout on other connections. */
  get waitingForLocks(): string {
    return `-c lock_timeout=${this.#lockMs}`;
  }

  /** Sets how long statements on this connection wait for a lock; 0: without limit. */
  async waitForLocks(ms = this.#lockMs): Promise<void> {
    await this.#guard.query(`set lock_timeout = ${ms}`);
  }

  /** Runs work of this name, and repeats it while somebody holds a lock that it needs. */
  async again(name: string, work: () => Promise<void>): Promise<void> {
    const { pausesMs = PAUSES_MS, say } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!LOCKED.has((error as { code?: unknown }).code)) throw error;
        const wait = pausesMs[attempt];
        const holder = await this.#longestAtWork();
        if (wait === undefined)
          throw new StartFailure(`${name} was given up: somebody holds a lock that it needs. ${holder} Nothing of it was done.`, {
            cause: error,
          });
        say?.(`${name} waits for a lock, and tries again in ${wait / SECOND} s. ${holder}`);
        await pause(wait);
      }
    }
  }

  async apply(file: MigrationFile): Promise<void> {
    await this.again(file.name, () => (file.transactional ? this.#whole(file) : this.#oneByOne(file)));
    this.#options.say?.(`${file.name} is done.`);
  }

  /** Runs the whole file in one transaction, with its entry in the history. */
  async #whole({ name, sql, needs }: MigrationFile): Promise<void> {
    const orm = await MikroORM.init({
      clientUrl: this.#url,
      entities: [],
      extensions: [Migrator],
      discovery: { warnWhenNoEntities: false },
      driverOptions: { options: this.waitingForLocks },
      migrations: {
        migrationsList: [
          {
            name,
            class: class extends Migration {
              override up(): void {
                this.addSql(sql);
                if (needs !== undefined) this.addSql(needOf(name, needs));
              }
            },
          },
        ],
        tableName: HISTORY,
        snapshot: false,
        allOrNothing: false,
        silent: true,
      },
    });
    await orm.migrator.up().finally(() => orm.close());
  }

  /** Runs each statement by itself; after an interruption all of them are run again. */
  async #oneByOne({ name, statements, needs }: MigrationFile): Promise<void> {
    for (const statement of statements) {
      await this.#dropHalfIndex(statement);
      // Nothing queues behind CREATE INDEX CONCURRENTLY, so it may wait for readers without limit.
      const patient = /\bconcurrently\b/i.test(statement);
      await this.waitForLocks(patient ? 0 : this.#lockMs);
      await this.#guard.query(statement).finally(() => this.waitForLocks());
    }
    if (needs !== undefined) await this.#guard.query(needOf(name, needs));
    await this.#guard.query(`insert into public.${HISTORY} (name) values ($1)`, [name]);
  }

  /** An index whose concurrent build was interrupted stays invalid: it is maintained but never used, and `if not exists` would skip it. */
  async #dropHalfIndex(statement: string): Promise<void> {
    const named = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\S+)\s+on\s+(?:only\s+)?([\w"]+)\.([\w"]+)/i.exec(
      statement,
    );
    if (!named) return;
    const [, index, schema, table] = named;
    const { rowCount } = await this.#guard.query(
      `select from pg_index where indexrelid = to_regclass($1) and indrelid = to_regclass($2) and not indisvalid`,
      [`${schema}.${index}`, `${schema}.${table}`],
    );
    if (rowCount === 0) return;
    this.#options.say?.(`The index ${schema}.${index} was left half built: it is dropped, and built anew.`);
    await this.waitForLocks(0);
    await this.#guard.query(`drop index concurrently if exists ${schema}.${index}`);
  }

  async #longestAtWork(): Promise<string> {
    const { rows } = await this.#guard.query<{ pid: number; name: string; state: string; seconds: number }>(
      `select pid, coalesce(nullif(application_name, ''), usename, '?') as name, state, extract(epoch from now() - xact_start)::int as seconds
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by xact_start limit 1`,
    );
    const [first] = rows;
    return first
      ? `The longest at work is ${first.name} (process ${first.pid} of PostgreSQL, ${first.state}, since ${first.seconds} s).`
      : '';
  }
}

const needOf = (name: string, program: string) =>
  `insert into platform.schema_need values ('${name}', '${program}') on conflict (migration) do nothing`;

/** The line that `--dry-run` prints for a migration. */
export const summaryOf = ({ name, statements, transactional, needs }: MigrationFile): string =>
  [
    `${name}: ${statements.length} ${statements.length === 1 ? 'statement' : 'statements'}`,
    ...(transactional ? [] : ['each by itself, without a transaction']),
    ...(needs === undefined ? [] : [`afterwards programs that do not know ${needs} are refused`]),
  ].join(', ');

/** The number of the last applied migration; "none" without any. */
export const versionOf = ({ applied }: SchemaState): string => (applied.length === 0 ? 'none' : numberOf(applied.at(-1) ?? ''));
