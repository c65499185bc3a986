// Backups and the archived log between them, for as long as a process runs: takes a base backup when one is due, archives the log every few seconds, and copies
// everything to a store elsewhere.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND, systemClock } from '../clock.ts';
import { StartFailure } from '../start-failure.ts';
import { type LogKeeper, openLogKeeper } from './log-keeper.ts';
import { LogGap } from './log-source.ts';
import type { Mirror } from './mirror.ts';
import { type ScheduledOrder, takeScheduledBackup } from './scheduled-backup.ts';

export interface FollowOrder extends Omit<ScheduledOrder, 'now' | 'oldest' | 'cluster'> {
  everySeconds: number;
  mirror: Mirror | undefined;
  say(line: string): void;
  signal: AbortSignal;
}

/** Runs until the signal. Throws a StartFailure when backups cannot be taken or the log cannot be archived: a supervisor starts it again. */
export async function followBackups({ everySeconds, mirror, say, signal, ...order }: FollowOrder): Promise<void> {
  const { directory, passphrase, embedded, config } = order;
  const url = embedded?.url ?? config.DATABASE_URL ?? '';
  const open = () => openLogKeeper({ directory, passphrase, url, embedded, dataDir: config.DATA_DIR });
  let gap = false;
  let keeper: LogKeeper;
  try {
    keeper = await open();
  } catch (error) {
    if (!(error instanceof LogGap)) throw error;
    say(error.message);
    gap = true;
    keeper = await open();
  }
  try {
    for (let first = true; !signal.aborted; first = false) {
      try {
        await keeper.round();
      } catch (error) {
        if (!(error instanceof LogGap)) throw error;
        say(error.message);
        gap = true;
        await keeper.round();
      }
      const taken = await takeScheduledBackup({
        ...order,
        cluster: true,
        now: systemClock.now(),
        ...(gap && { everyHours: undefined }),
        oldest: keeper.removeBefore,
      });
      gap = false;
      if (taken) say(`${taken.folder} is a backup, from which the log goes on.`);
      if (taken || first) await keeper.round();
      if (first) say(`The log is kept in ${join(directory, 'log')}.`);
      await mirror?.copy().catch((error: unknown) => {
        if (!(error instanceof StartFailure)) throw error;
        // The next round tries again; the local files stay.
        say(error.message);
      });
      await pause(everySeconds * SECOND, undefined, { signal }).catch(() => {});
    }
    await keeper.round();
    await mirror?.copy();
  } finally {
    await keeper.close();
  }
}
