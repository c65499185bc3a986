// Operator's command: `npm run --silent restore -- DIR` restores a backup into an empty database or a new embedded one; `--to MOMENT` restores the state of
// that moment by the archived log; `--drill` tries the backup out; `--fetch` downloads backups and log from the store.
import { dirname, join, resolve } from 'node:path';
import { configuredStore } from '#platform/backup/configured-store.ts';
import { LOG_FOLDER } from '#platform/backup/log-archive.ts';
import { fetchBackups } from '#platform/backup/mirror.ts';
import { momentOf } from '#platform/backup/recover-to.ts';
import { restoreBackup } from '#platform/backup/restore-backup.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { type StorageTask, runStorageCommand } from '#platform/storage-command.ts';
import { drillRestore } from './restore-drill.ts';

const USAGE = `Usage: npm run --silent restore -- DIR [--to MOMENT [--log DIR]] [--drill]
       npm run --silent restore -- DIR --fetch`;

async function fetched({ config, say }: StorageTask, folder: string): Promise<void> {
  const store = configuredStore(config);
  if (!store) throw new StartFailure('BACKUP_S3_URL must be set: that is where backups are fetched from.');
  say(`${await fetchBackups(store, folder)} files are in ${folder}.`);
}

async function restored(task: StorageTask, folder: string): Promise<void> {
  const { config, has, value, say } = task;
  const passphrase = config.BACKUP_PASSPHRASE;
  if (passphrase === undefined) throw new StartFailure('BACKUP_PASSPHRASE must be set: the backup was sealed with it.');
  const moment = value('to');
  const log = value('log') ?? join(dirname(resolve(folder)), LOG_FOLDER);
  const to = moment === undefined ? {} : { to: { moment: momentOf(moment), log } };
  if (has('drill')) {
    const { holdsUntil, until } = await drillRestore({ folder, passphrase, say, ...to });
    return say(`The backup is good: it holds everything that was acknowledged before ${until?.toISOString() ?? holdsUntil}.`);
  }
  const { holdsUntil, schema, until, cluster, postgres } = await restoreBackup({ folder, passphrase, config, ...to });
  const what = until ? `what was committed up to ${until.toISOString()}` : `what was acknowledged before ${holdsUntil}`;
  if (cluster !== undefined)
    say(`The folder of the server is ${cluster}: start PostgreSQL ${postgres.split('.')[0]} on it, as the user that owns it.`);
  else say(`Restored ${what}, with schema ${schema}.`);
  say(`Files of the operator are in ${config.DATA_DIR}/operator.`);
  if (config.SECRET === undefined) say(`The master secret is in ${config.DATA_DIR}/secret.`);
  else say(`SECRET has to be what ${config.DATA_DIR}/secret says: a start with another one is refused.`);
}

await runStorageCommand(
  { drill: { type: 'boolean' }, fetch: { type: 'boolean' }, to: { type: 'string' }, log: { type: 'string' } },
  USAGE,
  async (task) => {
    const [folder, ...more] = task.words;
    if (folder === undefined || more.length > 0) throw new StartFailure(USAGE);
    return task.has('fetch') ? fetched(task, folder) : restored(task, folder);
  },
);
