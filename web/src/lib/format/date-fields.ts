// What people type as a moment. Only forms of the desk read it, so it stands apart from the formats that every page loads.
import { display } from '#lib/display.svelte.ts';
import { style } from './dates.ts';

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
