/** What a proxy username can say after the plan's own name, each once, as `-part-value`. The node reads no other; the public page about proxies tells each. */
export const LINE_PARTS = ['country', 'not', 'state', 'city', 'asn', 'session', 'sessionttl', 'turn', 'onlost'] as const;
export type LinePart = (typeof LINE_PARTS)[number];

/** One of each, with what it needs beside it. */
export const LINE_EXAMPLES: Readonly<Record<LinePart, string>> = {
  country: 'country-de_fr_it',
  not: 'country-eu-not-fr_it',
  state: 'country-us-state-new_york',
  city: 'country-de-city-berlin',
  asn: 'country-us-asn-7922',
  session: 'country-de-session-40217735',
  sessionttl: 'country-de-session-40217735-sessionttl-30',
  turn: 'country-de-session-40217735-turn-1',
  onlost: 'country-de-session-40217735-onlost-switch',
};
