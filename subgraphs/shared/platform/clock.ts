// The one place where the time of day is read; everything else takes a Clock, so that tests move time and never wait for it.

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. `advance` takes milliseconds. */
export class TestClock implements Clock {
  #at: number;

  constructor(at: string | Date = '2026-01-15T12:00:00Z') {
    this.#at = new Date(at).getTime();
  }

  now(): Date {
    return new Date(this.#at);
  }

  set(at: string | Date): void {
    this.#at = new Date(at).getTime();
  }

  advance(milliseconds: number): void {
    this.#at += milliseconds;
  }
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The instant `milliseconds` after another. */
export const after = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);

/** The instant so many days before another. */
export const daysBefore = (at: Date, days: number): Date => after(at, -days * DAY);

/** The UTC day of an instant, YYYY-MM-DD. */
export const toDay = (at: Date): string => at.toISOString().slice(0, 10);

/** Whether a text is a calendar day, YYYY-MM-DD; 2026-02-30 is not. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

/** 00:00 UTC of the day after. Spec, States: the daily counter resets then. */
export const nextMidnight = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1));

/** 00:00 UTC of the first day of the month. */
export const monthStart = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));

/** 00:00 UTC of the first day of the month after. */
export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

/** The last `count` UTC days up to and with the day of `at`, ascending. */
export const lastDays = (at: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) => toDay(after(at, (index - count + 1) * DAY)));
