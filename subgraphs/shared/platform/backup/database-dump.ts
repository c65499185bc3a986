// Dumps an external database by PostgreSQL's own programs, and restores it into an empty database of any server. Owners and roles are not restored: the roles
// are created before, and the default privileges are granted again afterwards.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Client } from 'pg';
import { withClient } from '../database-client.ts';
import { grantDefaults, makeRoles } from '../schema-roles.ts';
import { StartFailure } from '../start-failure.ts';
import { type Program, startPostgresProgram } from './postgres-program.ts';

/** Everything that was committed before it begins is in it. Throws a StartFailure when pg_dump is missing or fails. */
export async function* databaseDump(url: string): AsyncGenerator<Uint8Array> {
  const { program, ended } = startPostgresProgram('pg_dump', ['--format=custom', '--compress=0'], url);
  yield* program.stdout as AsyncIterable<Uint8Array>;
  await ended;
}

/** Throws a StartFailure when the database has an installation already. */
export async function refuseFilledDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ filled: boolean }>(`select to_regnamespace('platform') is not null as filled`);
  if (rows[0]?.filled) throw new StartFailure('The database has an installation already: restore into an empty one.');
}

/** Restores everything or nothing. Each call of `dump` must give the dump from its beginning. */
export const restoreDump = (url: string, dump: () => AsyncIterable<Uint8Array>): Promise<void> =>
  withClient(url, (client) => restoreBy(client, url, dump));

async function restoreBy(client: Client, url: string, dump: () => AsyncIterable<Uint8Array>): Promise<void> {
  const list = join(tmpdir(), `egress-restore-${randomBytes(8).toString('hex')}`);
  try {
    await refuseFilledDatabase(client);
    await makeRoles(client);
    // The dump's default privileges name the previous owner, a role that this server may not have.
    const entries = (await contentsOf(dump())).split('\n').filter((line) => !/ DEFAULT ACL /.test(line));
    await writeFile(list, entries.join('\n'), { mode: 0o600 });
    const { program, ended } = startPostgresProgram(
      'pg_restore',
      ['--no-owner', '--exit-on-error', '--single-transaction', '-L', list],
      url,
    );
    await feed(dump(), program);
    await ended;
    await grantDefaults(client);
  } finally {
    await rm(list, { force: true });
  }
}

async function contentsOf(dump: AsyncIterable<Uint8Array>): Promise<string> {
  const { program, ended } = startPostgresProgram('pg_restore', ['-l']);
  const [contents] = await Promise.all([text(program.stdout), feed(dump, program), ended]);
  return contents;
}

/** A program that has read enough, or failed, stops reading: `ended` tells which. */
async function feed(dump: AsyncIterable<Uint8Array>, { stdin }: Program): Promise<void> {
  if (!stdin) return;
  try {
    await pipeline(dump, stdin);
  } catch (error) {
    if (!['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
