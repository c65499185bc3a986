// Moments are shown in the time zone that the reader has chosen, else in the browser's; days are UTC days and say so. Both are written as the reader chose.
import { type DateFormat, display } from '#lib/display.svelte.ts';
import { dateLocale } from '#lib/text/language.ts';

/** A kind of `Intl` format in a time zone, made at its first use; undefined: the zone of the browser. */
type Style = (zone: string | undefined) => Intl.DateTimeFormat;
export function style(options: Intl.DateTimeFormatOptions): Style {
  const made = new Map<string | undefined, Intl.DateTimeFormat>();
  return (zone) => {
    const format = made.get(zone) ?? new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: zone });
    made.set(zone, format);
    return format;
  };
}

const figures = style({ year: 'numeric', month: '2-digit', day: '2-digit' });
const FIGURES: Record<Exclude<DateFormat, 'LOCALE'>, string> = {
  ISO: 'year-month-day',
  DAY_MONTH_YEAR: 'day.month.year',
  MONTH_DAY_YEAR: 'month/day/year',
};

/** Writes moments: in the language's own style, or the day in figures and then the time, if there is one. */
export function writer({ own, time, year = true }: { own: Style; time?: Style; year?: boolean }) {
  return (at: Date, zone: string | undefined): string => {
    const { dateFormat } = display;
    if (dateFormat === 'LOCALE') return own(zone).format(at);
    const parts = figures(zone).formatToParts(at);
    const form = year ? FIGURES[dateFormat] : FIGURES[dateFormat].replace(/^year.|.year$/, '');
    const day = form.replaceAll(/[a-z]+/g, (part) => parts.find(({ type }) => type === part)?.value ?? '');
    return time ? `${day} ${time(zone).format(at)}` : day;
  };
}

export const hourMinute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
export const dayMonth = { day: 'numeric', month: 'short' } as const;
export const time = style(hourMinute);
const clock = style({ timeStyle: 'medium' });
const instant = writer({ own: style({ dateStyle: 'medium', timeStyle: 'short' }), time });
const instantFull = writer({ own: style({ dateStyle: 'full', timeStyle: 'long' }), time: style({ timeStyle: 'long' }) });
const day = writer({ own: style({ ...dayMonth, year: 'numeric' }) });
export const shortDay = writer({ own: style(dayMonth), year: false });
const relative = new Intl.RelativeTimeFormat(dateLocale, { numeric: 'auto' });

export const formatInstant = (value: string) => instant(new Date(value), display.timeZone);
/** With the time zone, also where a moment is shown in a short form. */
export const formatInstantFull = (value: string) => instantFull(new Date(value), display.timeZone);
/** The time of day with seconds, for figures that change while they are shown. */
export const formatClock = (value: string | number) => clock(display.timeZone).format(new Date(value));
/** A UTC day: YYYY-MM-DD, which is read as its first moment, or that of an instant. */
export const formatDay = (value: string) => day(new Date(value), 'UTC');
/** The same without the year, where there is little room. */
export const formatShortDay = (value: string) => shortDay(new Date(value), 'UTC');

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
