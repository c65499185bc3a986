// Operator's command: `npm run --silent restore -- DIR` makes an installation of a backup, in an empty database or where none is; `--drill` tries it out.
import { restoreBackup } from '#platform/backup/restore-backup.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { runStorageCommand } from '#platform/storage-command.ts';
import { drillRestore } from './restore-drill.ts';

const USAGE = 'Usage: npm run --silent restore -- DIR [--drill]';

await runStorageCommand({ drill: { type: 'boolean' } }, USAGE, async ({ config, words: [folder, ...more], has, say }) => {
  if (folder === undefined || more.length > 0) throw new StartFailure(USAGE);
  const passphrase = config.BACKUP_PASSPHRASE;
  if (passphrase === undefined) throw new StartFailure('BACKUP_PASSPHRASE must be set: the backup was sealed with it.');
  if (has('drill')) {
    const { holdsUntil } = await drillRestore({ folder, passphrase, say });
    return say(`The backup is good: it holds everything that was acknowledged before ${holdsUntil}.`);
  }
  const { holdsUntil, schema } = await restoreBackup({ folder, passphrase, config });
  say(
    `Restored what was acknowledged before ${holdsUntil}, with schema ${schema}. Files of the operator are in ${config.DATA_DIR}/operator.`,
  );
  if (config.SECRET === undefined) say(`The master secret is in ${config.DATA_DIR}/secret.`);
  else say(`SECRET has to be what ${config.DATA_DIR}/secret says: a start with another one is refused.`);
});
