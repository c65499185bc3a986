// Rules that find orders that look like fraud. Each rule is a row that the desk edits; what each kind of rule checks is defined here.

/** When a kind of rule is checked: when the order is PLACED, or when it is PAID, since its facts come with the payment. */
export const RISK_KINDS = {
  AMOUNT: 'PLACED',
  VELOCITY: 'PLACED',
  DISPOSABLE_MAIL: 'PLACED',
  IDENTITY: 'PLACED',
  CARD_COUNTRY: 'PAID',
  COUNTRY_MISMATCH: 'PAID',
} as const;
export type RiskKind = keyof typeof RISK_KINDS;
export type RiskMoment = (typeof RISK_KINDS)[RiskKind];

export const RISK_OUTCOMES = ['REVIEW', 'REFUSE'] as const;
export type RiskOutcome = (typeof RISK_OUTCOMES)[number];

export interface RiskTerms {
  kind: RiskKind;
  outcome: RiskOutcome;
  onlyNew: boolean;
  /** AMOUNT: finds orders of at least this price, with tax, in minor units. */
  amountMinor?: number | null | undefined;
  /** VELOCITY: finds more orders than this, of an account or of a network, within `hours`. */
  maxOrders?: number | null | undefined;
  hours?: number | null | undefined;
  /** For CARD_COUNTRY countries, for DISPOSABLE_MAIL mail domains, for IDENTITY items of the catalogue. */
  words: string[];
  /** IDENTITY: the lowest level that is accepted. */
  identityLevel?: number | null | undefined;
}

/** The facts of an order that rules judge. */
export interface RiskFacts {
  /** The account has never paid for anything before. */
  isNew: boolean;
  totalMinor: number;
  /** How many orders, including this one, this account or this network has placed; whichever is more. */
  ordersWithin(hours: number): number;
  mailDomain: string | undefined;
  item: string | undefined;
  identityLevel: number;
  /** ISO 3166; that of the means is known only once the order is paid. COUNTRY_MISMATCH finds two of the three that differ. */
  billingCountry: string | undefined;
  meansCountry: string | undefined;
  /** Of the address that the order came from, by the operator's table. */
  addressCountry: string | undefined;
}

/** What a rule has found; the desk shows `detail`. */
export interface RiskFinding {
  rule: string;
  kind: RiskKind;
  outcome: RiskOutcome;
  detail: string;
}

const FINDS: { [Kind in RiskKind]: (terms: RiskTerms, facts: RiskFacts) => string | undefined } = {
  AMOUNT: ({ amountMinor }, { totalMinor }) =>
    typeof amountMinor === 'number' && totalMinor >= amountMinor ? String(totalMinor) : undefined,
  VELOCITY({ maxOrders, hours }, { ordersWithin }) {
    if (typeof maxOrders !== 'number' || typeof hours !== 'number') return undefined;
    const orders = ordersWithin(hours);
    return orders > maxOrders ? String(orders) : undefined;
  },
  DISPOSABLE_MAIL: ({ words }, { mailDomain }) =>
    mailDomain !== undefined && words.some((word) => mailDomain === word || mailDomain.endsWith(`.${word}`)) ? mailDomain : undefined,
  IDENTITY: ({ words, identityLevel }, { item, identityLevel: level }) =>
    typeof identityLevel === 'number' && level < identityLevel && isOfItems(words, item) ? String(level) : undefined,
  CARD_COUNTRY: ({ words }, { meansCountry }) => (meansCountry !== undefined && words.includes(meansCountry) ? meansCountry : undefined),
  COUNTRY_MISMATCH(_, { billingCountry, meansCountry, addressCountry }) {
    const known = [billingCountry, meansCountry, addressCountry].filter((country) => country !== undefined);
    return new Set(known).size > 1 ? known.join(', ') : undefined;
  },
};

/** Whether an item is among these; an empty list stands for all items. */
const isOfItems = (items: readonly string[], item: string | undefined): boolean =>
  items.length === 0 || (item !== undefined && items.some((one) => item === one || item.startsWith(`${one}.`)));

/** Checks an order against the rules of that moment. */
export const findRisk = (rules: readonly (RiskTerms & { id: string })[], facts: RiskFacts, moment: RiskMoment): RiskFinding[] =>
  rules.flatMap((rule) => {
    if (RISK_KINDS[rule.kind] !== moment || (rule.onlyNew && !facts.isNew)) return [];
    const detail = FINDS[rule.kind](rule, facts);
    return detail === undefined ? [] : [{ rule: rule.id, kind: rule.kind, outcome: rule.outcome, detail }];
  });

const COUNTRY = /^[A-Z]{2}$/;
const DOMAIN = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/;
const ITEM = /^[a-z]+(?:\.[\w-]+)?$/i;

/** The normal form of a word for a kind of rule; undefined: it is not valid for that kind. */
export function toWord(kind: RiskKind, given: string): string | undefined {
  const word = given.trim();
  if (kind === 'CARD_COUNTRY') return COUNTRY.test(word.toUpperCase()) ? word.toUpperCase() : undefined;
  if (kind === 'DISPOSABLE_MAIL') return DOMAIN.test(word.toLowerCase()) ? word.toLowerCase() : undefined;
  return ITEM.test(word) ? word : undefined;
}
