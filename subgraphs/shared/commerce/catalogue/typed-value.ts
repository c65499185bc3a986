// What a person types of the catalogue, checked: the value of a field, and from when until when it is in force.
import { because, fail } from '#platform/errors.ts';
import type { CatalogueField } from './catalogue-entry.ts';
import { shapeOf } from './catalogue-file.ts';
import { type CatalogueKind, type CatalogueValue, fileFormOf, formOf } from './catalogue-value.ts';

const UNFIT = {
  AMOUNT: 'catalogue_amount_unfit',
  AMOUNTS: 'catalogue_amounts_unfit',
  TEXT: 'catalogue_text_unfit',
  COUNT: 'catalogue_count_unfit',
  FLAG: 'catalogue_flag_unfit',
  COST: 'catalogue_amount_unfit',
  DAYS: 'catalogue_days_unfit',
} as const satisfies Record<CatalogueKind, string>;

/** The stored form of a value. Errors: parameter_invalid (`value`). */
export function typedValue(field: CatalogueField, text: string): CatalogueValue {
  const form = fileFormOf(field.kind, text);
  const fit = shapeOf(field).safeParse(form);
  if (fit.success) return fit.data;
  throw fail('parameter_invalid', {
    field: 'value',
    reason:
      field.steps && formOf(field.kind).safeParse(form).success
        ? because('catalogue_steps_fixed', { steps: field.steps.join(', ') })
        : because(UNFIT[field.kind]),
  });
}

interface Span {
  from?: Date | null | undefined;
  until?: Date | null | undefined;
}

/** From when until when; without `from` from now on, without `until` for good. Errors: parameter_invalid (`from`, `until`). */
export function typedSpan({ from, until }: Span, now: Date): { from: Date; until: Date | null } {
  const span = { from: from ?? now, until: until ?? null };
  if (span.from < now) throw fail('parameter_invalid', { field: 'from', reason: because('catalogue_from_past') });
  if (span.until && span.until <= span.from) throw fail('parameter_invalid', { field: 'until', reason: because('catalogue_until_early') });
  return span;
}
