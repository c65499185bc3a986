// How the owner of an account wants to see pages.

export const DATE_FORMATS = ['LOCALE', 'ISO', 'DAY_MONTH_YEAR', 'MONTH_DAY_YEAR'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export const DENSITIES = ['COMFORTABLE', 'COMPACT'] as const;
export type Density = (typeof DENSITIES)[number];

export interface Preferences {
  /** An IANA name; null: that of the browser. */
  timeZone: string | null;
  dateFormat: DateFormat;
  density: Density;
}

const MAX_NAME_LENGTH = 64;

/** Whether the time zone database has a zone of that name, also an older name. An offset such as `+02:00` is no zone: it knows no summer. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH || !/^[a-z]/i.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
