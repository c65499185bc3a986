// Moments are shown in the time zone that the reader has chosen, else in the browser's; days are UTC days and say so. Both are written as the reader chose.
import { type DateFormat, display } from '#lib/display.svelte.ts';
import { dateLocale } from '#lib/text/language.ts';

/** A kind of `Intl` format in a time zone, made at its first use; undefined: the zone of the browser. */
type Style = (zone: string | undefined) => Intl.DateTimeFormat;
function style(options: Intl.DateTimeFormatOptions): Style {
  const made = new Map<string | undefined, Intl.DateTimeFormat>();
  return (zone) => {
    const format = made.get(zone) ?? new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: zone });
    made.set(zone, format);
    return format;
  };
}

const figures = style({ year: 'numeric', month: '2-digit', day: '2-digit' });
const FIGURES: Record<Exclude<DateFormat, 'LOCALE'>, { order: readonly ('year' | 'month' | 'day')[]; between: string }> = {
  ISO: { order: ['year', 'month', 'day'], between: '-' },
  DAY_MONTH_YEAR: { order: ['day', 'month', 'year'], between: '.' },
  MONTH_DAY_YEAR: { order: ['month', 'day', 'year'], between: '/' },
};

/** Writes moments: in the language's own style, or the day in figures and then the time, if there is one. */
function writer({ own, time, year = true }: { own: Style; time?: Style; year?: boolean }) {
  return (at: Date, zone: string | undefined): string => {
    const { dateFormat } = display;
    if (dateFormat === 'LOCALE') return own(zone).format(at);
    const { order, between } = FIGURES[dateFormat];
    const parts = figures(zone).formatToParts(at);
    const day = order
      .filter((part) => year || part !== 'year')
      .map((part) => parts.find(({ type }) => type === part)?.value)
      .join(between);
    return time ? `${day} ${time(zone).format(at)}` : day;
  };
}

const hourMinute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const dayMonth = { day: 'numeric', month: 'short' } as const;
const time = style(hourMinute);
const clock = style({ timeStyle: 'medium' });
const month = style({ month: 'short', year: '2-digit' });
const instant = writer({ own: style({ dateStyle: 'medium', timeStyle: 'short' }), time });
const instantFull = writer({ own: style({ dateStyle: 'full', timeStyle: 'long' }), time: style({ timeStyle: 'long' }) });
const day = writer({ own: style({ ...dayMonth, year: 'numeric' }) });
const shortDay = writer({ own: style(dayMonth), year: false });
const hour = writer({ own: style({ ...dayMonth, ...hourMinute }), time, year: false });
const weekday = style({ weekday: 'short', hour: '2-digit', minute: '2-digit' });
const relative = new Intl.RelativeTimeFormat(dateLocale, { numeric: 'auto' });

/** A UTC day, YYYY-MM-DD, as its first moment. */
const dayStart = (value: string) => new Date(`${value}T00:00:00Z`);

export const formatInstant = (value: string) => instant(new Date(value), display.timeZone);
/** With the time zone, also where a moment is shown in a short form. */
export const formatInstantFull = (value: string) => instantFull(new Date(value), display.timeZone);
/** The time of day with seconds, for figures that change while they are shown. */
export const formatClock = (value: string | number) => clock(display.timeZone).format(new Date(value));
/** The time of day without seconds, for an axis. */
export const formatTime = (value: number) => time(display.timeZone).format(value);
/** The same with its day of the week. */
export const formatWeekdayTime = (value: number) => weekday(display.timeZone).format(value);
/** A UTC day, YYYY-MM-DD. */
export const formatDay = (value: string) => day(dayStart(value), 'UTC');
/** The same without the year, where there is little room. */
export const formatShortDay = (value: string) => shortDay(dayStart(value), 'UTC');
/** A UTC hour, given by its first moment. */
export const formatHour = (value: string) => hour(new Date(value), 'UTC');
/** The UTC day of an instant. */
export const formatInstantDay = (value: string) => day(new Date(value), 'UTC');
/** A UTC day as unix seconds, for the axis of a chart. */
export const toDaySeconds = (value: string) => dayStart(value).getTime() / 1_000;

/** What stands at the axis of a chart, by milliseconds: UTC hours, days or months. */
export const TICKS = {
  hour: (at: number) => time('UTC').format(at),
  day: (at: number) => shortDay(new Date(at), 'UTC'),
  month: (at: number) => month('UTC').format(at),
} as const;

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

const wall = style({
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
/** Milliseconds that a zone's clocks are ahead of UTC at a moment. */
function aheadOf(zone: string, at: number): number {
  const parts = wall(zone).formatToParts(at);
  const [year, month, ...rest] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((part) =>
    Number(parts.find(({ type }) => type === part)?.value),
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, ...rest) - Math.floor(at / 1_000) * 1_000;
}

/** The instant of a field of date and time, which is in the reader's time zone; null: the field is empty. */
export function instantOf(local: string): string | null {
  if (local === '') return null;
  const zone = display.timeZone;
  if (zone === undefined) return new Date(local).toISOString();
  const asUtc = Date.parse(`${local}Z`);
  // The offset there may be another one than at the same figures in UTC: the second look is at the moment itself.
  return new Date(asUtc - aheadOf(zone, asUtc - aheadOf(zone, asUtc))).toISOString();
}

/** Parses an instant, in UTC when it names no zone; undefined when it is none. */
export function parseInstant(typed: string): string | undefined {
  const words = typed.trim().replace(' ', 'T');
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(words)) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(words) ? words : `${words}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
