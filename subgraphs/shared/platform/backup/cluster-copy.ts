// A copy of an external server's folder by pg_basebackup. The archived log can be replayed from it to any later moment. The database user needs REPLICATION.
// https://www.postgresql.org/docs/18/app-pgbasebackup.html
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { StartFailure } from '../start-failure.ts';
import { startPostgresProgram } from './postgres-program.ts';

/** A tar of the whole folder, with the log that was written meanwhile. Once it has been read to its end, everything that was committed before is in it. */
export async function* clusterCopy(url: string): AsyncGenerator<Uint8Array> {
  const words = ['--pgdata=-', '--format=tar', '--wal-method=fetch', '--checkpoint=fast', '--label=egress', '--no-password'];
  const { program, ended } = startPostgresProgram('pg_basebackup', words, url);
  yield* program.stdout as AsyncIterable<Uint8Array>;
  await ended;
}

/** Unpacks the tar into a new folder. Throws a StartFailure when tar fails. */
export async function unpackCluster(folder: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const tar = spawn('tar', ['--extract', '--directory', folder], { stdio: ['pipe', 'ignore', 'pipe'] });
  const said = text(tar.stderr);
  const ended = new Promise<number | null>((resolve, reject) => tar.once('error', reject).once('close', resolve));
  await Promise.all([pipeline(content, tar.stdin), ended]).catch(() => {});
  if ((await ended) !== 0) throw new StartFailure(`tar failed: ${(await said).trim()}`);
}
