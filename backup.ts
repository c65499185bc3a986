// Operator's command: `npm run --silent backup -- DIR` puts the database, the secret and the operator's files into a folder that is new, sealed with
// BACKUP_PASSPHRASE. Beside a running platform, or without one. With `-- --scheduled` in BACKUP_DIR, when one is due; a timer may ask as often as it likes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeScheduledBackup } from '#platform/backup/scheduled-backup.ts';
import { takeBackup } from '#platform/backup/take-backup.ts';
import { systemClock } from '#platform/clock.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { runStorageCommand } from '#platform/storage-command.ts';
import { variables } from './configuration.ts';

const USAGE = 'Usage: npm run --silent backup -- DIR, or -- --scheduled, which asks BACKUP_DIR, BACKUP_EVERY_HOURS and BACKUP_KEEP';
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** Published lists, which are fetched again, are none of them. */
const FETCHED_AGAIN: ReadonlySet<string> = new Set(['LEAKED_PASSWORDS_FILE']);
const operatorFiles = (environment: Record<string, string | undefined>) => ({
  ...Object.fromEntries(
    Object.keys(variables())
      .filter((name) => name.endsWith('_FILE') && !FETCHED_AGAIN.has(name))
      .map((name) => [name, environment[name]]),
  ),
  ENV_FILE: environment['ENV_FILE'] || '.env',
});

await runStorageCommand(
  { scheduled: { type: 'boolean' } },
  USAGE,
  async ({ config, environment, words: [named, ...more], has, say, opened }) => {
    const scheduled = has('scheduled');
    const place = scheduled ? config.BACKUP_DIR : named;
    if (scheduled && place === undefined) throw new StartFailure('BACKUP_DIR must be set: that is where such backups are put.');
    if (place === undefined || more.length > 0 || (scheduled && named !== undefined)) throw new StartFailure(USAGE);
    const passphrase = config.BACKUP_PASSPHRASE;
    if (passphrase === undefined) throw new StartFailure('BACKUP_PASSPHRASE must be set: backups are sealed with it.');
    const embedded = config.DATABASE_URL === undefined ? await openEmbeddedPostgres(join(config.DATA_DIR, 'postgres')) : undefined;
    if (embedded) opened.defer(async () => void (embedded.started && (await embedded.stop())));
    const order = { passphrase, config, operatorFiles: operatorFiles(environment), version, embedded };
    const taken = scheduled
      ? await takeScheduledBackup({
          ...order,
          directory: place,
          everyHours: config.BACKUP_EVERY_HOURS,
          keep: config.BACKUP_KEEP,
          now: systemClock.now(),
        })
      : { folder: place, manifest: await takeBackup({ ...order, folder: place }) };
    if (!taken) return say('No backup is due, or another process takes it.');
    const { parts, holdsUntil, schema } = taken.manifest;
    const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
    say(`${taken.folder} holds everything that was acknowledged before ${holdsUntil}: schema ${schema}, ${bytes} bytes.`);
  },
);
