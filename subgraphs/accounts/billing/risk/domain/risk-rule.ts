// What makes an order look like fraud. A rule is a row that the desk changes; what each kind asks stands here.

/** When the facts of a kind are known: before anything is paid, or with the payment. */
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
  /** AMOUNT: from this price on, with tax, in minor units. */
  amountMinor?: number | null | undefined;
  /** VELOCITY: more orders than this, of an account or of a network, within so many hours. */
  maxOrders?: number | null | undefined;
  hours?: number | null | undefined;
  /** Countries, domains of mail or items of the catalogue. */
  words: string[];
  /** IDENTITY: the least level. */
  identityLevel?: number | null | undefined;
}

/** What is known of an order. */
export interface RiskFacts {
  /** Its account has never paid for anything. */
  isNew: boolean;
  totalMinor: number;
  /** Of this account or of this network, this one among them, whichever is more. */
  ordersWithin(hours: number): number;
  mailDomain: string | undefined;
  item: string | undefined;
  identityLevel: number;
  /** ISO 3166; of the means only once it is paid. */
  billingCountry: string | undefined;
  meansCountry: string | undefined;
}

/** What a rule has found, in words of its own, as the desk shows it. */
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
  COUNTRY_MISMATCH: (_, { billingCountry, meansCountry }) =>
    billingCountry !== undefined && meansCountry !== undefined && billingCountry !== meansCountry
      ? `${billingCountry}, ${meansCountry}`
      : undefined,
};

/** No items: all of them. */
const isOfItems = (items: readonly string[], item: string | undefined): boolean =>
  items.length === 0 || (item !== undefined && items.some((one) => item === one || item.startsWith(`${one}.`)));

/** What the rules find of an order at a moment. */
export const findRisk = (rules: readonly (RiskTerms & { id: string })[], facts: RiskFacts, moment: RiskMoment): RiskFinding[] =>
  rules.flatMap((rule) => {
    if (RISK_KINDS[rule.kind] !== moment || (rule.onlyNew && !facts.isNew)) return [];
    const detail = FINDS[rule.kind](rule, facts);
    return detail === undefined ? [] : [{ rule: rule.id, kind: rule.kind, outcome: rule.outcome, detail }];
  });

const COUNTRY = /^[A-Z]{2}$/;
const DOMAIN = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/;
const ITEM = /^[a-z]+(?:\.[\w-]+)?$/i;

/** How a word of a kind is written; undefined: it is none. */
export function toWord(kind: RiskKind, given: string): string | undefined {
  const word = given.trim();
  if (kind === 'CARD_COUNTRY') return COUNTRY.test(word.toUpperCase()) ? word.toUpperCase() : undefined;
  if (kind === 'DISPOSABLE_MAIL') return DOMAIN.test(word.toLowerCase()) ? word.toLowerCase() : undefined;
  return ITEM.test(word) ? word : undefined;
}
