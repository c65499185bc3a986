// What stands at the axis of a chart and beside it, as dates are written elsewhere.
import { display } from '#lib/display.svelte.ts';
import { dayMonth, hourMinute, shortDay, style, time, writer } from './dates.ts';

const month = style({ month: 'short', year: '2-digit' });
const hour = writer({ own: style({ ...dayMonth, ...hourMinute }), time, year: false });
const weekday = style({ weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** The time of day without seconds, for an axis. */
export const formatTime = (value: number) => time(display.timeZone).format(value);
/** The same with its day of the week. */
export const formatWeekdayTime = (value: number) => weekday(display.timeZone).format(value);

/** A UTC hour, given by its first moment. */
export const formatHour = (value: string) => hour(new Date(value), 'UTC');
/** A UTC day as unix seconds, for the axis of a chart. */
export const toDaySeconds = (value: string) => Date.parse(value) / 1_000;

/** What stands at the axis of a chart, by milliseconds: UTC hours, days or months. */
export const TICKS = {
  hour: (at: number) => time('UTC').format(at),
  day: (at: number) => shortDay(new Date(at), 'UTC'),
  month: (at: number) => month('UTC').format(at),
} as const;
