// Limits of this subgraph that pages need, read from the constants that the rules use.
import { DAY, HOUR } from '#platform/clock.ts';
import { builder } from '../../builder.ts';
import { PASSWORD_LENGTH } from '../../servers/domain/server-secrets.ts';
import { BACKUPS_KEPT, BACKUP_EVERY_MS, SAFETY_KEPT_MS } from '../domain/vps-backup.ts';

const ComputeRules = builder.objectRef<object>('ComputeRules').implement({
  fields: (t) => ({
    backupEveryDays: t.int({ resolve: () => BACKUP_EVERY_MS / DAY }),
    olderBackupsKept: t.int({ resolve: () => BACKUPS_KEPT - 1 }),
    safetyBackupHours: t.int({ resolve: () => SAFETY_KEPT_MS / HOUR }),
    passwordLengthMin: t.int({ resolve: () => PASSWORD_LENGTH.min }),
    passwordLengthMax: t.int({ resolve: () => PASSWORD_LENGTH.max }),
  }),
});

builder.queryField('computeRules', (t) =>
  t.field({ nullable: true, type: ComputeRules, authScopes: { anyone: true }, resolve: () => ({}) }),
);
