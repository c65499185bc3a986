import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSchedule, startBackups } from '#platform/backup/backup-schedule.ts';
import { HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';

const clock = new TestClock();
let last: Date | undefined;
let outcomes: boolean[];
let said: string[];
let schedule: RunningSchedule;
beforeEach(() => {
  last = undefined;
  outcomes = [];
  said = [];
  const note = (_fields: object, words: string) => void said.push(words);
  schedule = startBackups({
    everyHours: 24,
    clock,
    log: { info: note, error: note } as never,
    last: async () => last,
    async take() {
      const ok = outcomes.shift() ?? true;
      if (ok) last = clock.now();
      return { ok, words: '' };
    },
  });
});
afterEach(() => schedule.close());

const TAKEN = 'a backup was taken';
const FAILED = 'the backup that is due was not taken';

test('a platform takes a backup when one is due, and no other before the next is', async () => {
  await schedule.look();
  clock.advance(23 * HOUR);
  await schedule.look();
  expect(said).toEqual([TAKEN]);
  clock.advance(HOUR);
  await schedule.look();
  expect(said).toEqual([TAKEN, TAKEN]);
});

test('one that failed is said in the log, and tried again after a quarter of an hour', async () => {
  outcomes = [false, true];
  await schedule.look();
  clock.advance(14 * MINUTE);
  await schedule.look();
  expect(said).toEqual([FAILED]);
  clock.advance(MINUTE);
  await schedule.look();
  expect(said).toEqual([FAILED, TAKEN]);
});

test('a start that could never take one is refused', () => {
  expect(() => readConfig([], { BACKUP_EVERY_HOURS: '24', BACKUP_DIR: '/backups' })).toThrow(
    'BACKUP_PASSPHRASE must be set with BACKUP_EVERY_HOURS',
  );
  expect(() => readConfig([], { BACKUP_EVERY_HOURS: '24', BACKUP_PASSPHRASE: 'correct horse' })).toThrow('BACKUP_DIR must be set with');
});
