// The kinds of values in the catalogue, and the three forms of a value: as stored (amounts in minor units), as in a file, as a person types it.
import { z } from 'zod';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import { decimalOf, toMinor } from '../money.ts';

export const CATALOGUE_KINDS = ['AMOUNT', 'AMOUNTS', 'TEXT', 'COUNT', 'FLAG', 'COST', 'DAYS'] as const;
export type CatalogueKind = (typeof CATALOGUE_KINDS)[number];

/** As stored. AMOUNT, COST: minor units; only what something costs its operator may be nothing. AMOUNTS: number of months or GB from which a price applies -> minor units. DAYS: 0 is without an end. */
export type CatalogueValue = number | string | boolean | Readonly<Record<string, number>>;

const COUNT_MAX = 65_536;
const AMOUNT_MAX = 100_000_000;
const DAYS_MAX = 3_650;
const FOR_EVER = 'for ever';

const amountFrom = (least: number) =>
  z.string().transform((decimal, context): number => {
    try {
      const minor = toMinor(decimal);
      if (minor >= least && minor <= AMOUNT_MAX) return minor;
      context.addIssue({ code: 'custom', message: `must be from ${decimalOf(least)} to ${decimalOf(AMOUNT_MAX)}` });
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
    return z.NEVER;
  });
const amount = amountFrom(1);

/** From the form in a file to the stored form. */
const FORMS = {
  AMOUNT: amount,
  AMOUNTS: z.record(z.string().regex(/^[1-9]\d{0,4}$/, 'must begin at a whole number such as 1'), amount),
  TEXT: z.string().trim().min(1).max(TEXT_MAX.catalogueText),
  COUNT: z.int().min(1).max(COUNT_MAX),
  FLAG: z.boolean(),
  COST: amountFrom(0),
  DAYS: z
    .int()
    .min(1)
    .max(DAYS_MAX)
    .nullable()
    .transform((days) => days ?? 0),
} as const satisfies Record<CatalogueKind, z.ZodType<CatalogueValue>>;

export const formOf = (kind: CatalogueKind): z.ZodType<CatalogueValue> => FORMS[kind];

/** A price as steps: from how many months or GB on -> minor units. One without steps begins at 1. */
export const stepsOf = (price: CatalogueValue): [number, number][] =>
  typeof price === 'object' ? Object.entries(price).map(([from, minor]) => [Number(from), minor]) : [[1, price as number]];

/** From the stored form to the form in a file. */
export function toFileForm(kind: CatalogueKind, value: CatalogueValue): unknown {
  if (kind === 'AMOUNT' || kind === 'COST') return decimalOf(value as number);
  if (kind === 'AMOUNTS') return Object.fromEntries(stepsOf(value).map(([from, minor]) => [from, decimalOf(minor)]));
  return kind === 'DAYS' && value === 0 ? null : value;
}

/** From the stored form to text as a person types it: "2.40", "1: 5.00, 10: 4.50", "Premium", "8", "true"; "30", "for ever". */
export function toText(kind: CatalogueKind, value: CatalogueValue): string {
  if (kind === 'AMOUNT' || kind === 'COST') return decimalOf(value as number);
  if (kind === 'DAYS' && value === 0) return FOR_EVER;
  if (kind !== 'AMOUNTS') return String(value);
  return stepsOf(value)
    .map(([from, minor]) => `${from}: ${decimalOf(minor)}`)
    .join(', ');
}

/** From text that a person typed to the form in a file. Text that does not fit the kind is returned as it is: the field's schema refuses it. */
export function fileFormOf(kind: CatalogueKind, text: string): unknown {
  if (kind === 'DAYS' && text.trim() === FOR_EVER) return null;
  if (kind === 'COUNT' || kind === 'DAYS') return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
  if (kind === 'FLAG') return ({ true: true, false: false } as Record<string, unknown>)[text.trim()] ?? text;
  if (kind !== 'AMOUNTS') return text.trim();
  const pairs = text.split(',').map((pair) => pair.split(':').map((part) => part.trim()));
  if (pairs.some((pair) => pair.length !== 2) || new Set(pairs.map(([from]) => from)).size < pairs.length) return text;
  return Object.fromEntries(pairs);
}

/** Whether both are equal, in whatever order their steps are. */
export const sameValue = (one: CatalogueValue, other: CatalogueValue): boolean =>
  typeof one === 'object' && typeof other === 'object'
    ? stepsOf(one).length === stepsOf(other).length && stepsOf(one).every(([from, minor]) => other[from] === minor)
    : one === other;
