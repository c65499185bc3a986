// What a field of the catalogue can hold, and its three forms: as it is kept (amounts in minor units), as a file says it, as a person types it.
import { z } from 'zod';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import { decimalOf, toMinor } from '../money.ts';

export const CATALOGUE_KINDS = ['AMOUNT', 'AMOUNTS', 'TEXT', 'COUNT', 'FLAG'] as const;
export type CatalogueKind = (typeof CATALOGUE_KINDS)[number];

/** As it is kept. AMOUNT: minor units. AMOUNTS: from a number of months or GB on -> minor units. */
export type CatalogueValue = number | string | boolean | Readonly<Record<string, number>>;

const COUNT_MAX = 65_536;
const AMOUNT_MAX = 100_000_000;

const amount = z.string().transform((decimal, context): number => {
  try {
    const minor = toMinor(decimal);
    if (minor > 0 && minor <= AMOUNT_MAX) return minor;
    context.addIssue({ code: 'custom', message: `must be from 0.01 to ${decimalOf(AMOUNT_MAX)}` });
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
  return z.NEVER;
});

/** As a file says it -> as it is kept. */
const FORMS = {
  AMOUNT: amount,
  AMOUNTS: z.record(z.string().regex(/^[1-9]\d{0,4}$/, 'must begin at a whole number such as 1'), amount),
  TEXT: z.string().trim().min(1).max(TEXT_MAX.catalogueText),
  COUNT: z.int().min(1).max(COUNT_MAX),
  FLAG: z.boolean(),
} as const satisfies Record<CatalogueKind, z.ZodType<CatalogueValue>>;

export const formOf = (kind: CatalogueKind): z.ZodType<CatalogueValue> => FORMS[kind];

const steps = (value: CatalogueValue): [string, number][] => Object.entries(value as Record<string, number>);

/** As a file says it. */
export function toFileForm(kind: CatalogueKind, value: CatalogueValue): unknown {
  if (kind === 'AMOUNT') return decimalOf(value as number);
  if (kind === 'AMOUNTS') return Object.fromEntries(steps(value).map(([from, minor]) => [from, decimalOf(minor)]));
  return value;
}

/** As a person types it: "2.40", "1: 5.00, 10: 4.50", "Premium", "8", "true". */
export function toText(kind: CatalogueKind, value: CatalogueValue): string {
  if (kind === 'AMOUNT') return decimalOf(value as number);
  if (kind !== 'AMOUNTS') return String(value);
  return steps(value)
    .map(([from, minor]) => `${from}: ${decimalOf(minor)}`)
    .join(', ');
}

/** What a person typed, as a file would say it; what is unfit stays so. */
export function fileFormOf(kind: CatalogueKind, text: string): unknown {
  if (kind === 'COUNT') return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
  if (kind === 'FLAG') return ({ true: true, false: false } as Record<string, unknown>)[text.trim()] ?? text;
  if (kind !== 'AMOUNTS') return text.trim();
  const pairs = text.split(',').map((pair) => pair.split(':').map((part) => part.trim()));
  if (pairs.some((pair) => pair.length !== 2) || new Set(pairs.map(([from]) => from)).size < pairs.length) return text;
  return Object.fromEntries(pairs);
}

/** Whether both are the same, whatever the order of their steps. */
export const sameValue = (one: CatalogueValue, other: CatalogueValue): boolean =>
  typeof one === 'object' && typeof other === 'object'
    ? steps(one).length === steps(other).length && steps(one).every(([from, minor]) => other[from] === minor)
    : one === other;
