// Instants are shown in the reader's time zone, with its name; days are UTC days and say so.
import { dateLocale } from '#lib/text/language.ts';

const instant = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' });
const instantFull = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' });
const dayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(dateLocale, { numeric: 'auto' });

export const formatInstant = (value: string) => instant.format(new Date(value));
const clock = new Intl.DateTimeFormat(dateLocale, { timeStyle: 'medium' });
/** The time of day with seconds, for figures that change while they are shown. */
export const formatClock = (value: string | number) => clock.format(new Date(value));
export const formatInstantFull = (value: string) => instantFull.format(new Date(value));
/** A UTC day, YYYY-MM-DD. */
export const formatDay = (value: string) => dayFormat.format(new Date(`${value}T00:00:00Z`));
const shortDayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** The same without the year, where there is little room. */
export const formatShortDay = (value: string) => shortDayFormat.format(new Date(`${value}T00:00:00Z`));
/** A UTC day as unix seconds, for the axis of a chart. */
export const toDaySeconds = (value: string) => Date.parse(`${value}T00:00:00Z`) / 1_000;

const steps = [
  { limit: 60, size: 1, unit: 'second' },
  { limit: 3_600, size: 60, unit: 'minute' },
  { limit: 86_400, size: 3_600, unit: 'hour' },
  { limit: 30 * 86_400, size: 86_400, unit: 'day' },
  { limit: 365 * 86_400, size: 30 * 86_400, unit: 'month' },
  { limit: Number.POSITIVE_INFINITY, size: 365 * 86_400, unit: 'year' },
] as const;

/** For example "3 hours ago". */
export const formatAgo = (value: string): string => formatAge(Date.now() - Date.parse(value));

/** The same for an age in milliseconds. */
export function formatAge(milliseconds: number): string {
  const seconds = -milliseconds / 1_000;
  const step = steps.find((row) => Math.abs(seconds) < row.limit) ?? steps[5];
  return relative.format(Math.round(seconds / step.size), step.unit);
}

/** A duration in its largest whole unit: "35 minutes", "1 hour", "14 days". */
export function formatDuration(seconds: number): string {
  const { size, unit } = steps.slice(0, 4).findLast((row) => seconds >= row.size && seconds % row.size === 0) ?? steps[0];
  return new Intl.NumberFormat(dateLocale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}

const DAY_SECONDS = 86_400;
/** A number of whole days: "30 days". */
export const formatDays = (days: number): string => formatDuration(days * DAY_SECONDS);

/** A time span: "4h 12m" from one hour on, "12:04" below. */
export function formatSpan(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(dateLocale, { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(value);
  if (seconds >= 3_600) return `${unit(Math.floor(seconds / 3_600), 'hour')} ${unit(Math.floor((seconds % 3_600) / 60), 'minute')}`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A proxy session's lifetime in minutes: "30m", "1h", "24h". */
export const formatMinutes = (minutes: number) => (minutes >= 60 && minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);

const hourFormat = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
/** A UTC hour, given by its first moment. */
export const formatHour = (value: string) => hourFormat.format(new Date(value));
/** The UTC day of an instant. */
export const formatInstantDay = (value: string) => dayFormat.format(new Date(value));

/** The instant of a field of date and time, which is in the reader's time zone; null: the field is empty. */
export const instantOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** Parses an instant, in UTC when it names no zone; undefined when it is none. */
export function parseInstant(typed: string): string | undefined {
  const words = typed.trim().replace(' ', 'T');
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(words)) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(words) ? words : `${words}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
