// The page with the use and the limits of a proxy user: one document without scripts, in English or German.
import { GB, MB } from '#platform/data-size.ts';
import type { Language } from '#platform/language.ts';
import { escapeHtml } from '#platform/markup.ts';
import type { UserState } from './proxy-user.ts';

/** Bytes as decimal text. */
export interface UseOfUser {
  name: string;
  username: string;
  state: UserState;
  resumesAt: string | null;
  dailyLimitBytes: string | null;
  monthlyLimitBytes: string | null;
  totalLimitBytes: string | null;
  countedBytes: string;
  usedTodayBytes: string;
  usedMonthBytes: string;
  asOf: string;
  /** Ascending. */
  days: { on: string; totalBytes: string }[];
}

interface Words {
  states: Record<UserState, string>;
  resumes: (at: string) => string;
  username: string;
  today: string;
  month: string;
  total: string;
  of: (used: string, limit: string) => string;
  unlimited: (used: string) => string;
  days: string;
  asOf: (at: string) => string;
}

const WORDS: Record<Language, Words> = {
  en: {
    states: {
      ACTIVE: 'Active',
      PAUSED: 'Paused',
      DAILY_LIMIT: 'The limit of the day is reached',
      MONTHLY_LIMIT: 'The limit of the month is reached',
      USED_UP: 'Used up',
      REMOVED: 'Removed',
    },
    resumes: (at) => `It goes on at ${at}.`,
    username: 'Proxy username',
    today: 'Today',
    month: 'This month',
    total: 'In all',
    of: (used, limit) => `${used} of ${limit}`,
    unlimited: (used) => `${used}, no limit`,
    days: 'The last 30 days',
    asOf: (at) => `As of ${at}. Days and months are those of UTC.`,
  },
  de: {
    states: {
      ACTIVE: 'Aktiv',
      PAUSED: 'Angehalten',
      DAILY_LIMIT: 'Das Limit des Tages ist erreicht',
      MONTHLY_LIMIT: 'Das Limit des Monats ist erreicht',
      USED_UP: 'Aufgebraucht',
      REMOVED: 'Entfernt',
    },
    resumes: (at) => `Weiter geht es am ${at}.`,
    username: 'Proxy-Benutzername',
    today: 'Heute',
    month: 'In diesem Monat',
    total: 'Insgesamt',
    of: (used, limit) => `${used} von ${limit}`,
    unlimited: (used) => `${used}, ohne Limit`,
    days: 'Die letzten 30 Tage',
    asOf: (at) => `Stand: ${at}. Tage und Monate gelten in UTC.`,
  },
};

const STYLE = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
body{max-width:40rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1.5rem;margin:1.5rem 0}dt,.quiet{opacity:.75}dd{margin:0}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.25rem 0;text-align:left;font-weight:normal}
td:last-child{text-align:right}tr+tr{border-top:1px solid color-mix(in srgb,currentColor 15%,transparent)}`;

export function drawUserPage(use: UseOfUser, language: Language): string {
  const words = WORDS[language];
  const size = (bytes: string) => sizeIn(language, BigInt(bytes));
  const instant = (at: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(Date.parse(at));
  const row = (label: string, used: string, limit: string | null) =>
    `<dt>${label}</dt><dd>${limit === null ? words.unlimited(size(used)) : words.of(size(used), size(limit))}</dd>`;
  const days = use.days
    .toReversed()
    .map(({ on, totalBytes }) => `<tr><th scope="row">${on}</th><td>${size(totalBytes)}</td></tr>`)
    .join('');
  const name = escapeHtml(use.name);
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${name}</title><style>${STYLE}</style></head><body><main>
<h1>${name}</h1><p>${words.states[use.state]}${use.resumesAt === null ? '' : `. ${words.resumes(`${instant(use.resumesAt)} UTC`)}`}</p>
<dl><dt>${words.username}</dt><dd><code>${escapeHtml(use.username)}</code></dd>
${row(words.today, use.usedTodayBytes, use.dailyLimitBytes)}
${row(words.month, use.usedMonthBytes, use.monthlyLimitBytes)}
${row(words.total, use.countedBytes, use.totalLimitBytes)}</dl>
<h2>${words.days}</h2><table>${days}</table><p class="quiet">${words.asOf(`${instant(use.asOf)} UTC`)}</p></main></body></html>
`;
}

/** A size with at most three decimals: 1.234 GB, 56.7 MB. */
function sizeIn(language: Language, bytes: bigint): string {
  const [unit, of] = bytes >= GB ? (['GB', GB] as const) : (['MB', MB] as const);
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 3 }).format(Number(bytes) / Number(of))} ${unit}`;
}
