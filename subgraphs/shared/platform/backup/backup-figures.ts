import { type Clock } from '../clock.ts';
import { type Figures, ageSeconds } from '../figures.ts';
import type { TakenBackup } from './backup-record.ts';

/** A gauge has no value while no backup was ever taken, or no log was ever archived. */
export const BACKUP_FIGURES: Figures<{ clock: Clock; last(): Promise<TakenBackup | undefined>; log(): Promise<Date | undefined> }> = {
  gauges: {
    egress_backup_age_seconds: ['How old what the last backup holds is'],
    egress_backup_log_age_seconds: ['How old what the log beside the backups holds is'],
  },
  async read({ clock, last, log }) {
    const [found, kept] = await Promise.all([last(), log()]);
    return [
      ...(found ? [{ gauge: 'egress_backup_age_seconds', value: ageSeconds(found.holdsUntil, clock.now()) }] : []),
      ...(kept ? [{ gauge: 'egress_backup_log_age_seconds', value: ageSeconds(kept, clock.now()) }] : []),
    ];
  },
};
