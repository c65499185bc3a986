import { type Clock } from '../clock.ts';
import { type Figures, ageSeconds } from '../figures.ts';
import type { TakenBackup } from './backup-record.ts';

/** Without a value while none was ever taken. */
export const BACKUP_FIGURES: Figures<{ clock: Clock; last(): Promise<TakenBackup | undefined> }> = {
  gauges: { egress_backup_age_seconds: ['How old what the last backup holds is'] },
  async read({ clock, last }) {
    const found = await last();
    return found ? [{ gauge: 'egress_backup_age_seconds', value: ageSeconds(found.holdsUntil, clock.now()) }] : [];
  },
};
