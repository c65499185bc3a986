// Scheduled backups: taken when they are due, one at a time; the oldest is deleted when a newer one is complete.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BACKUP_FIGURES } from '#platform/backup/backup-figures.ts';
import { lastBackup } from '#platform/backup/backup-record.ts';
import { takeScheduledBackup } from '#platform/backup/scheduled-backup.ts';
import { HOUR, MINUTE, TestClock, after, systemClock } from '#platform/clock.ts';
import { withClient } from '#platform/database-client.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';
import { runChild } from '../../../../kit/child.ts';
import { PASSPHRASE, configOf, restore, scratchFolder } from './backup-world.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let scratch: ReturnType<typeof scratchFolder>;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  scratch = scratchFolder();
  postgres = await openEmbeddedPostgres(join(scratch.at('data'), 'postgres'));
  await migrate(postgres.url);
});
afterAll(async () => {
  await postgres?.stop();
  scratch.remove();
});

const begun = systemClock.now();
const take = ({
  hours,
  everyHours = 24,
  keep = 2,
  place = 'backups',
}: {
  hours: number;
  everyHours?: number;
  keep?: number;
  place?: string;
}) =>
  takeScheduledBackup({
    directory: scratch.at(place),
    config: configOf({ DATA_DIR: scratch.at('data') }),
    passphrase: PASSPHRASE,
    operatorFiles: {},
    version: '0.0.0',
    embedded: postgres,
    everyHours,
    keep,
    now: after(begun, hours * HOUR),
  });
const kept = () => readdirSync(scratch.at('backups')).toSorted();

test('one is taken when none was, then when the last is old enough; the newest stay, and what is not ours', async () => {
  expect(await withClient(postgres.url, lastBackup)).toBeUndefined();
  const first = await take({ hours: 0 });
  mkdirSync(join(scratch.at('backups'), 'by-hand'));
  mkdirSync(`${first?.folder}.partial-00c0ffee`);
  expect(await take({ hours: 23 })).toBeUndefined();
  // Two processes try to take the same backup at once.
  const both = await Promise.all([take({ hours: 25 }), take({ hours: 25 })]);
  expect(both.filter((taken) => taken !== undefined)).toHaveLength(1);
  const third = await take({ hours: 50 });
  const folders = [...both, third].flatMap((taken) => taken?.folder.split('/').at(-1) ?? []);
  expect(kept()).toEqual([...folders, 'by-hand']);
  await restore(third?.folder ?? '', { DATA_DIR: scratch.at('again'), DATABASE_URL: undefined });
});

test('its age is a figure: of what it holds', async () => {
  const last = await withClient(postgres.url, lastBackup);
  const clock = new TestClock(after(last?.holdsUntil ?? begun, 90 * MINUTE));
  const none = async () => undefined;
  expect(await BACKUP_FIGURES.read({ clock, last: async () => last, log: none })).toEqual([
    { gauge: 'egress_backup_age_seconds', value: 5_400 },
  ]);
  expect(await BACKUP_FIGURES.read({ clock, last: none, log: none })).toEqual([]);
  expect(await BACKUP_FIGURES.read({ clock, last: none, log: async () => after(clock.now(), -MINUTE) })).toEqual([
    { gauge: 'egress_backup_log_age_seconds', value: 60 },
  ]);
});

test('none is put into what is backed up', async () => {
  await expect(take({ hours: 99, place: 'data/backups' })).rejects.toThrow('must not be in DATA_DIR');
});

test('the command says what is missing', async () => {
  const command = (environment: Record<string, string>, words: string[]) => runChild('backup.ts', environment, words);
  const without = command({ DATA_DIR: scratch.at('data') }, ['--scheduled']);
  expect(await without.ended).toBe(1);
  expect(without.text()).toContain('BACKUP_DIR must be set');
  const both = command({ DATA_DIR: scratch.at('data'), BACKUP_DIR: scratch.at('backups') }, ['--scheduled', scratch.at('one')]);
  expect(await both.ended).toBe(1);
  expect(both.text()).toContain('Usage');
});
