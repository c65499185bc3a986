// Which backups of a VPS are kept, and when the next one is made.
import { DAY, HOUR } from '#platform/clock.ts';

export const BACKUP_KINDS = ['SCHEDULED', 'MANUAL', 'SAFETY'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** Spec, VPS backups: a full snapshot every 7 days. */
export const BACKUP_EVERY_MS = 7 * DAY;
/** The time until the first backup, after the machine was built or backups were bought. */
export const FIRST_BACKUP_MS = HOUR;
/** The time until the next try after a failed backup. */
export const BACKUP_AGAIN_MS = 6 * HOUR;
/** How long the backup is kept that a restore makes first; it does not count among `BACKUPS_KEPT`. */
export const SAFETY_KEPT_MS = DAY;
/** Spec: the newest is always kept, older ones may be pruned. Here it and three older ones are kept. */
export const BACKUPS_KEPT = 4;

interface Kept {
  id: string;
  kind: BackupKind;
  takenAt: Date;
  expiresAt: Date | null;
}

/** The backups to delete now, the oldest first: those made before a restore when their time is over, the others when there are too many. */
export function backupsToDrop<Backup extends Kept>(backups: readonly Backup[], now: Date): Backup[] {
  const regular = backups.filter(({ kind }) => kind !== 'SAFETY').toSorted((one, other) => +other.takenAt - +one.takenAt);
  const over = new Set(regular.slice(BACKUPS_KEPT));
  return backups
    .filter((backup) => over.has(backup) || (backup.expiresAt !== null && backup.expiresAt <= now))
    .toSorted((one, other) => +one.takenAt - +other.takenAt);
}
