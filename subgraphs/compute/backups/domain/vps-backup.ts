// What is kept of a VPS's backups, and when the next one is taken.
import { DAY, HOUR } from '#platform/clock.ts';

export const BACKUP_KINDS = ['SCHEDULED', 'MANUAL', 'SAFETY'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** Spec, VPS backups: a full snapshot every 7 days. */
export const BACKUP_EVERY_MS = 7 * DAY;
/** The first one, after the machine is there or backups were bought. */
export const FIRST_BACKUP_MS = HOUR;
/** After a backup that failed. */
export const BACKUP_AGAIN_MS = 6 * HOUR;
/** Taken before a restore, beside those that are kept. */
export const SAFETY_KEPT_MS = DAY;
/** Spec: the newest is always kept, older ones may be pruned. Three of them stay. */
export const BACKUPS_KEPT = 4;

interface Kept {
  id: string;
  kind: BackupKind;
  takenAt: Date;
  expiresAt: Date | null;
}

/** Those that are to go now, the oldest first: safety snapshots by their time, the others by their number. */
export function backupsToDrop<Backup extends Kept>(backups: readonly Backup[], now: Date): Backup[] {
  const regular = backups.filter(({ kind }) => kind !== 'SAFETY').toSorted((one, other) => +other.takenAt - +one.takenAt);
  const over = new Set(regular.slice(BACKUPS_KEPT));
  return backups
    .filter((backup) => over.has(backup) || (backup.expiresAt !== null && backup.expiresAt <= now))
    .toSorted((one, other) => +one.takenAt - +other.takenAt);
}
