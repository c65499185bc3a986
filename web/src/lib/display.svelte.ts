// How the reader wants pages shown: the choice of the account, which the frame applies. This browser keeps a copy, so that the first page is drawn by it.
export type DateFormat = 'LOCALE' | 'ISO' | 'DAY_MONTH_YEAR' | 'MONTH_DAY_YEAR';
export type Density = 'COMFORTABLE' | 'COMPACT';
export interface Preferences {
  /** An IANA name; null: that of the browser. */
  timeZone: string | null;
  dateFormat: DateFormat;
  density: Density;
}

const KEY = 'display';
const NOTHING_CHOSEN: Preferences = { timeZone: null, dateFormat: 'LOCALE', density: 'COMFORTABLE' };

let chosen = $state.raw(NOTHING_CHOSEN);

/** The zone, where this browser knows it: its database may be older than that of the platform. */
function known(zone: string | null): string | undefined {
  try {
    return zone === null ? undefined : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
let zone = $state.raw<string | undefined>();

/** Rows follow `data-density` of the root by a rule of app.css. */
function show(preferences: Preferences): void {
  chosen = preferences;
  zone = known(preferences.timeZone);
  document.documentElement.dataset['density'] = preferences.density.toLowerCase();
}

export const display = {
  /** Undefined: that of the browser. */
  get timeZone() {
    return zone;
  },
  get dateFormat() {
    return chosen.dateFormat;
  },
  apply({ timeZone, dateFormat, density }: Preferences): void {
    const preferences = { timeZone, dateFormat, density };
    show(preferences);
    try {
      localStorage.setItem(KEY, JSON.stringify(preferences));
    } catch {
      // A browser that keeps nothing shows the first page as nobody has chosen.
    }
  },
  /** At the sign-out. */
  forget(): void {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Nothing was kept.
    }
  },
};

/** Pages that are drawn on the server have no document. */
if (globalThis.document !== undefined)
  try {
    show({ ...NOTHING_CHOSEN, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) });
  } catch {
    // Nothing that can be read was kept.
  }
