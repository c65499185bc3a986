// How the dashboard writes and reads moments and days: the functions alone, without a browser.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

interface Dates {
  formatInstant(value: string): string;
  formatDay(value: string): string;
  formatShortDay(value: string): string;
  formatHour(value: string): string;
  instantOf(local: string): string | null;
}
interface Display {
  apply(preferences: { timeZone: string | null; dateFormat: string; density: string }): void;
}

let dates: Dates;
let display: Display;
const load = <Module>(name: string): Promise<Module> =>
  import(/* @vite-ignore */ new URL(`../../web/src/lib/${name}`, import.meta.url).href);

beforeAll(async () => {
  // What the compiler of Svelte makes of a rune is a variable here.
  const rune = <Value>(value: Value) => value;
  vi.stubGlobal('$state', Object.assign(rune, { raw: rune }));
  Object.assign(globalThis, { pageLanguage: 'en' });
  vi.resetModules();
  dates = {
    ...(await load<Dates>('format/dates.ts')),
    ...(await load<Pick<Dates, 'instantOf'>>('format/date-fields.ts')),
    ...(await load<Pick<Dates, 'formatHour'>>('format/axis.ts')),
  };
  display = (await load<{ display: Display }>('display.svelte.ts')).display;
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
});
afterAll(() => {
  vi.unstubAllGlobals();
  Object.assign(globalThis, { pageLanguage: undefined });
});

const shown = (timeZone: string | null, dateFormat: string) => display.apply({ timeZone, dateFormat, density: 'COMFORTABLE' });

test.each([
  ['LOCALE', '15 Jan 2026, 23:30', '15 Jan 2026', '15 Jan'],
  ['ISO', '2026-01-15 23:30', '2026-01-15', '01-15'],
  ['DAY_MONTH_YEAR', '15.01.2026 23:30', '15.01.2026', '15.01'],
  ['MONTH_DAY_YEAR', '01/15/2026 23:30', '01/15/2026', '01/15'],
])('in the form %s a moment is written %s, a day %s, and %s where there is little room', (form, moment, day, short) => {
  shown('America/New_York', form);
  expect(dates.formatInstant('2026-01-16T04:30:00Z')).toBe(moment);
  expect([dates.formatDay('2026-01-15'), dates.formatShortDay('2026-01-15')]).toEqual([day, short]);
});

test('days and hours of use are those of UTC in every zone', () => {
  shown('Pacific/Kiritimati', 'ISO');
  expect(dates.formatDay('2026-01-15')).toBe('2026-01-15');
  expect(dates.formatHour('2026-01-15T23:00:00Z')).toBe('01-15 23:00');
  expect(dates.formatInstant('2026-01-15T23:00:00Z')).toBe('2026-01-16 13:00');
});

test.each([
  ['Europe/Berlin', '2026-01-15T12:00', '2026-01-15T11:00:00.000Z'],
  ['Europe/Berlin', '2026-07-15T12:00', '2026-07-15T10:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
  ['America/New_York', '2026-11-01T03:00', '2026-11-01T08:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-15T00:00', '2026-01-14T10:00:00.000Z'],
])('in %s a field of %s is the moment %s', (zone, local, moment) => {
  shown(zone, 'LOCALE');
  expect(dates.instantOf(local)).toBe(moment);
});

test('a zone that this browser does not know is that of the browser', () => {
  shown('Mars/Olympus', 'LOCALE');
  expect(dates.instantOf('2026-01-15T12:00')).toBe(new Date('2026-01-15T12:00').toISOString());
});
