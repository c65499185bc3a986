// A database that was restored from a dump, or moved to another server: roles and transaction ids belong to the server, and stay behind.
import type { Client } from 'pg';
import { StartFailure } from './start-failure.ts';

/** Throws a StartFailure when the database has our tables and the server not the roles that reach them. */
export async function checkRoles(client: Client, roles: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string; is_there: boolean }>(
    `select name, coalesce(
       (select pg_has_role(current_user, rolname, 'member') and has_schema_privilege(rolname, 'platform', 'usage') from pg_roles where rolname = name), false
     ) as is_there
     from unnest($1::text[]) as name where to_regclass('platform.event') is not null`,
    [roles],
  );
  const lacking = rows.filter(({ is_there }) => !is_there).map(({ name }) => name);
  if (lacking.length > 0)
    throw new StartFailure(
      `The database was restored without its roles (${lacking.join(', ')}): bring them first, as pg_dumpall --roles-only of the old server prints them, and restore it again.`,
    );
}

/** Lets new events stand after all that were brought along. Returns whether they would have stood before. */
export async function followCluster(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ moved: boolean }>('select platform.follow_cluster() as moved');
  return rows[0]?.moved ?? false;
}
