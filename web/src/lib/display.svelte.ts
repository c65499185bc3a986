// How the reader wants pages shown: the choice of the account, which the frame applies. This browser keeps a copy, so that the first page is drawn by it.
export type DateFormat = 'LOCALE' | 'ISO' | 'DAY_MONTH_YEAR' | 'MONTH_DAY_YEAR';
export type Density = 'COMFORTABLE' | 'COMPACT';
export interface Preferences {
  /** An IANA name; null: that of the browser. */
  timeZone: string | null;
  dateFormat: DateFormat;
  density: Density;
}

/** Where this browser keeps its copy, until the sign-out. */
export const DISPLAY_KEY = 'display';
let dateFormat = $state.raw<DateFormat>('LOCALE');

/** The zone, where this browser knows it: its database may be older than that of the platform. */
function known(zone: string | null): string | undefined {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone ?? undefined });
    return zone ?? undefined;
  } catch {
    return undefined;
  }
}
let zone = $state.raw<string | undefined>();

/** Rows follow `data-density` of the root by a rule of app.css. */
function show(preferences: Preferences): void {
  dateFormat = preferences.dateFormat;
  zone = known(preferences.timeZone);
  document.documentElement.dataset['density'] = preferences.density;
}

export const display = {
  /** Undefined: that of the browser. */
  get timeZone() {
    return zone;
  },
  get dateFormat() {
    return dateFormat;
  },
  apply(preferences: Preferences): void {
    show(preferences);
    try {
      localStorage.setItem(DISPLAY_KEY, JSON.stringify(preferences));
    } catch {
      // A browser that keeps nothing shows the first page as nobody has chosen.
    }
  },
};

try {
  const kept = localStorage.getItem(DISPLAY_KEY);
  if (kept) show(JSON.parse(kept) as Preferences);
} catch {
  // Nothing that can be read was kept, or the page is drawn on the server.
}
