// Operator's command: `npm run --silent backup -- DIR` writes the database, the secret and the operator's files into a new folder, sealed with
// BACKUP_PASSPHRASE, whether the platform runs or not. With `-- --scheduled` it writes into BACKUP_DIR when a backup is due; a timer may call it as often as it
// likes. With `-- --follow` it runs until it is stopped, and also archives the log between backups.
import { join } from 'node:path';
import { configuredStore } from '#platform/backup/configured-store.ts';
import { followBackups } from '#platform/backup/follow-backups.ts';
import { openMirror } from '#platform/backup/mirror.ts';
import { takeScheduledBackup } from '#platform/backup/scheduled-backup.ts';
import { takeBackup } from '#platform/backup/take-backup.ts';
import type { StorageConfig } from '#platform/config.ts';
import { systemClock } from '#platform/clock.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { type StorageTask, runStorageCommand } from '#platform/storage-command.ts';
import { variables } from './configuration.ts';

const USAGE =
  'Usage: npm run --silent backup -- DIR, or -- --scheduled or --follow, which ask BACKUP_DIR, BACKUP_EVERY_HOURS, BACKUP_KEEP and BACKUP_LOG_SECONDS';

/** Published lists that can be downloaded again are left out. */
const FETCHED_AGAIN: ReadonlySet<string> = new Set(['LEAKED_PASSWORDS_FILE']);
const operatorFiles = (environment: Record<string, string | undefined>) => ({
  ...Object.fromEntries(
    Object.keys(variables())
      .filter((name) => name.endsWith('_FILE') && !FETCHED_AGAIN.has(name))
      .map((name) => [name, environment[name]]),
  ),
  ENV_FILE: environment['ENV_FILE'] || '.env',
});

async function orderOf({ config, environment, opened }: StorageTask) {
  const passphrase = config.BACKUP_PASSPHRASE;
  if (passphrase === undefined) throw new StartFailure('BACKUP_PASSPHRASE must be set: backups are sealed with it.');
  const embedded = config.DATABASE_URL === undefined ? await openEmbeddedPostgres(join(config.DATA_DIR, 'postgres')) : undefined;
  if (embedded) opened.defer(async () => void (embedded.started && (await embedded.stop())));
  return { passphrase, config, operatorFiles: operatorFiles(environment), version: PROGRAM_VERSION, embedded };
}

function placeOf({ BACKUP_DIR: directory, BACKUP_EVERY_HOURS: everyHours, BACKUP_KEEP: keep }: StorageConfig) {
  if (directory === undefined) throw new StartFailure('BACKUP_DIR must be set: that is where such backups are put.');
  return { directory, everyHours, keep };
}

const mirrorOf = (config: StorageConfig, directory: string) => {
  const store = configuredStore(config);
  return store && openMirror(directory, store);
};

async function one(task: StorageTask, folder: string): Promise<void> {
  const manifest = await takeBackup({ ...(await orderOf(task)), folder });
  printBackup(task, folder, manifest);
}

async function scheduled(task: StorageTask): Promise<void> {
  const place = placeOf(task.config);
  const order = await orderOf(task);
  const mirror = await mirrorOf(task.config, place.directory);
  const taken = await takeScheduledBackup({ ...order, ...place, now: systemClock.now() });
  if (taken) printBackup(task, taken.folder, taken.manifest);
  else task.say('No backup is due, or another process takes it.');
  if (!mirror) return;
  const { put, removed, held } = await mirror.copy();
  task.say(`In the store: ${put} files put, ${removed} removed${held > 0 ? `, ${held} held there` : ''}.`);
}

function printBackup({ say }: StorageTask, folder: string, { parts, holdsUntil, schema }: Awaited<ReturnType<typeof takeBackup>>): void {
  const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
  say(`${folder} holds everything that was acknowledged before ${holdsUntil}: schema ${schema}, ${bytes} bytes.`);
}

async function follow(task: StorageTask): Promise<void> {
  const { config, say } = task;
  const place = placeOf(config);
  const everySeconds = config.BACKUP_LOG_SECONDS;
  if (everySeconds === undefined || place.everyHours === undefined)
    throw new StartFailure(
      'BACKUP_LOG_SECONDS and BACKUP_EVERY_HOURS must be set: how often the log is kept, and how often a backup begins it.',
    );
  const order = await orderOf(task);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort());
  await followBackups({
    ...order,
    ...place,
    everySeconds,
    mirror: await mirrorOf(config, place.directory),
    say,
    signal: ending.signal,
  });
}

await runStorageCommand({ scheduled: { type: 'boolean' }, follow: { type: 'boolean' } }, USAGE, async (task) => {
  const [folder, ...more] = task.words;
  const asked = [task.has('scheduled'), task.has('follow'), folder !== undefined].filter(Boolean);
  if (asked.length !== 1 || more.length > 0) throw new StartFailure(USAGE);
  if (task.has('scheduled')) return scheduled(task);
  if (task.has('follow')) return follow(task);
  return one(task, folder ?? '');
});
