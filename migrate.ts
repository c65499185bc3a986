// Operator's command: `npm run --silent migrate` brings the database to the schema that this program needs.
import { openDatabaseServer } from '#platform/configured-database.ts';
import { withClient } from '#platform/database-client.ts';
import { migrate, schemaState, summaryOf, versionOf } from '#platform/migrate.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import { makeRoles } from '#platform/schema-roles.ts';
import { type SchemaState, refuseNewerSchema } from '#platform/schema-state.ts';
import { runStorageCommand } from '#platform/storage-command.ts';

const USAGE = 'Usage: npm run --silent migrate [-- --dry-run | --status | --roles]';

const statusOf = (state: SchemaState): string =>
  [
    `Schema    ${versionOf(state)}, by ${state.applied.length} migrations`,
    `Program   ${PROGRAM_VERSION}, knows migrations up to ${state.knows}`,
    `Pending   ${state.pending.map(({ name }) => name).join(', ') || 'nothing'}`,
    `Unknown   ${state.unknown.join(', ') || 'nothing'}`,
    `Works     with ${state.needs === undefined ? 'every earlier program' : `programs that know ${state.needs}; earlier ones refuse to start`}`,
  ].join('\n');

await runStorageCommand(
  { 'dry-run': { type: 'boolean' }, status: { type: 'boolean' }, roles: { type: 'boolean' } },
  USAGE,
  async ({ config, has, say, opened }) => {
    const { url, stop } = await openDatabaseServer(config);
    opened.defer(stop);
    if (has('roles')) {
      await withClient(url, makeRoles);
      return say('The roles are there.');
    }
    const state = await schemaState(url);
    if (has('status')) {
      say(statusOf(state));
      return refuseNewerSchema(state);
    }
    refuseNewerSchema(state);
    if (has('dry-run')) {
      for (const file of state.pending) say(summaryOf(file));
      return say(state.pending.length === 0 ? 'Nothing is pending.' : `${state.pending.length} would run. Nothing was changed.`);
    }
    const done = await migrate(url, { say });
    say(done.length === 0 ? 'Nothing was pending.' : `${done.length} ran.`);
  },
);
