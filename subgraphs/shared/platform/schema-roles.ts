// The database roles that reach the tables, one per subgraph. Roles belong to the server, not to the database: a dump contains neither them nor the default
// privileges that its owner granted them.
import type { Client } from 'pg';
import { SUBGRAPHS } from '../../../schema/subgraphs.ts';
import { StartFailure } from './start-failure.ts';

export const ROLES = SUBGRAPHS.map((name) => `egress_${name}`);

/** Whether the connected user may act as a role: from PostgreSQL 16 on, whoever creates a role administers it, but may not yet act as it. */
const MAY_BE = `case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end`;
/** PostgreSQL's insufficient_privilege. */
const NOT_ALLOWED = '42501';

/** Creates the roles that are missing, and lets the connected user act as each. Throws a StartFailure when that user may not do so. */
export async function makeRoles(client: Client): Promise<void> {
  try {
    await client.query(`do $$
      declare wanted text;
      begin
        perform pg_advisory_xact_lock(hashtext('egress roles'));
        foreach wanted in array array['${ROLES.join(`', '`)}'] loop
          if not exists (select from pg_roles where rolname = wanted) then
            execute format('create role %I nologin', wanted);
          end if;
          if not pg_has_role(current_user, wanted, ${MAY_BE}) then
            execute format('grant %I to current_user', wanted);
          end if;
        end loop;
      end $$`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_ALLOWED) throw error;
    const names = ROLES.join(', ');
    throw new StartFailure(
      `The user ${client.user} of the database may not make or be the roles ${names}. As a superuser: create role ... nologin for each that is not there, and grant ${names} to ${client.user}.`,
      { cause: error },
    );
  }
}

/** Default privileges belong to the user who owns the tables: after a restore as another user they must be granted again. */
export async function grantDefaults(client: Client): Promise<void> {
  for (const name of SUBGRAPHS)
    await client.query(`do $$ begin
      if to_regnamespace('${name}') is not null then
        alter default privileges in schema ${name} grant select, insert, update, delete on tables to egress_${name};
        alter default privileges in schema ${name} grant usage on sequences to egress_${name};
        alter default privileges in schema ${name} grant execute on functions to egress_${name};
      end if;
    end $$`);
}

/** Throws a StartFailure when the database has our tables, but the server lacks the roles that reach them. */
export async function checkRoles(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; is_there: boolean }>(
    `select name, coalesce(
       (select pg_has_role(current_user, rolname, ${MAY_BE}) and has_schema_privilege(rolname, 'platform', 'usage') from pg_roles where rolname = name), false
     ) as is_there
     from unnest($1::text[]) as name where to_regclass('platform.event') is not null`,
    [ROLES],
  );
  const lacking = rows.filter(({ is_there }) => !is_there).map(({ name }) => name);
  if (lacking.length > 0)
    throw new StartFailure(
      `The database was restored without its roles (${lacking.join(', ')}): make them first (npm run --silent migrate -- --roles), and restore it again.`,
    );
}
