// Brings a database to the present shape: the numbered files of migrations/, forward only, each in a transaction, then the job queue's own tables.
// Several starts at once wait for each other.
import { readFileSync, readdirSync } from 'node:fs';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { SUBGRAPHS } from '../../../schema/subgraphs.ts';
import { JOBS_SCHEMA } from './jobs.ts';
import { checkRoles, followCluster } from './restored-database.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
const ROLES = SUBGRAPHS.map((name) => `egress_${name}`);

const migrationsList = () =>
  readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      name,
      class: class extends Migration {
        override up(): void {
          this.addSql(readFileSync(new URL(name, FOLDER), 'utf8'));
        }
      },
    }));

/** Subgraphs enqueue inside their own transactions, on their own roles. */
const JOB_GRANTS = `
  grant usage on schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
  grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
  grant execute on all functions in schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
  grant usage on all sequences in schema ${JOBS_SCHEMA} to ${ROLES.join(', ')};
`;

/** Returns the names of the migrations that ran now. `url` is the owner's connection. */
export async function migrate(url: string): Promise<string[]> {
  const guard = new Client({ connectionString: url });
  await guard.connect();
  try {
    await guard.query(`select pg_advisory_lock(hashtext('egress migrate'))`);
    await checkRoles(guard, ROLES);
    const orm = await MikroORM.init({
      clientUrl: url,
      entities: [],
      extensions: [Migrator],
      discovery: { warnWhenNoEntities: false },
      migrations: { migrationsList: migrationsList(), tableName: 'egress_migration', snapshot: false, allOrNothing: false, silent: true },
    });
    try {
      const done = await orm.migrator.up();
      const boss = new PgBoss({ connectionString: url, schema: JOBS_SCHEMA, supervise: false, schedule: false });
      boss.on('error', () => {});
      await boss.start();
      await boss.stop({ graceful: false });
      await guard.query(JOB_GRANTS);
      await followCluster(guard);
      return done.map(({ name }) => name);
    } finally {
      await orm.close();
    }
  } finally {
    await guard.end();
  }
}
