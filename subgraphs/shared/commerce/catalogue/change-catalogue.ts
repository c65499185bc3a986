// What an operator does with a seller's catalogue, at the support desk or by the command `catalogue`.
import { type Context, setterOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { checkReason } from '../support-reason.ts';
import type { CatalogueBook } from './catalogue-book.ts';
import { type CatalogueEntry, type CatalogueField, type CatalogueMoment, entriesOf, stateOf, timeline } from './catalogue-entry.ts';
import { toFileForm, toText } from './catalogue-value.ts';
import { type NewEntry, announceCatalogue, insertEntries, lockCatalogue, withdrawEntry } from './entry-rows.ts';
import { typedSpan, typedValue } from './typed-value.ts';

export type CatalogueContext = Context<{ catalogue: CatalogueBook }>;

/** A requested change. `value` is as a person types it; without `from` it begins now; without `until` it lasts until the next change. */
export interface CatalogueChange {
  item: string;
  field: string;
  value: string;
  from?: Date | null;
  until?: Date | null;
}

/** A field with all of its entries. */
export interface CatalogueLine {
  field: CatalogueField;
  /** The value in force now, as a person types it. */
  value: string;
  history: (CatalogueEntry & { text: string; state: ReturnType<typeof stateOf> })[];
  /** The values from now on. */
  ahead: CatalogueMoment[];
}

const lineOf = ({ providers, clock }: CatalogueContext, field: CatalogueField): CatalogueLine => {
  const now = clock.now();
  const entries = entriesOf(providers.catalogue.entries(), field);
  const ahead = timeline(field, entries, now);
  const history = entries
    .map((entry) => ({ ...entry, text: toText(field.kind, entry.value), state: stateOf(entry, entries, now) }))
    .toReversed();
  return { field, value: toText(field.kind, ahead[0]?.value ?? field.usual), history, ahead };
};

/** Every field of the seller, in the order of its catalogue. */
export const catalogueLines = (ctx: CatalogueContext): CatalogueLine[] => ctx.providers.catalogue.fields.map((field) => lineOf(ctx, field));

function fieldNamed({ providers }: CatalogueContext, { item, field: name }: Pick<CatalogueChange, 'item' | 'field'>): CatalogueField {
  const field = providers.catalogue.fields.find((one) => one.item === item && one.name === name);
  if (!field) throw fail('parameter_invalid', { field: 'field', reason: because('catalogue_field_unknown') });
  return field;
}

function toEntry(ctx: CatalogueContext, field: CatalogueField, change: CatalogueChange): Omit<NewEntry, 'reason'> {
  const now = ctx.clock.now();
  const setBy = setterOf(ctx);
  const value = typedValue(field, change.value);
  return { id: newId('cat', ctx.clock), item: field.item, field: field.name, value, ...typedSpan(change, now), setAt: now, setBy };
}

/** The field's values from now on if this change were made. Errors: parameter_invalid. */
export function previewChange(ctx: CatalogueContext, change: CatalogueChange): { field: CatalogueField; moments: CatalogueMoment[] } {
  const field = fieldNamed(ctx, change);
  const entry: CatalogueEntry = { ...toEntry(ctx, field, change), reason: '', withdrawnAt: null };
  const moments = timeline(field, [...entriesOf(ctx.providers.catalogue.entries(), field), entry], ctx.clock.now());
  return { field, moments };
}

/** Sets a field's value from a moment on. Offers that are signed already keep their price. Errors: parameter_invalid. */
export async function setCatalogueValue(ctx: CatalogueContext, change: CatalogueChange & { reason: string }): Promise<CatalogueLine> {
  const field = fieldNamed(ctx, change);
  const reason = checkReason(change.reason);
  await inTransaction(ctx, async (tx) => {
    await lockCatalogue(tx.em);
    await insertEntries(tx.em, [{ ...toEntry(tx, field, change), reason }]);
    await announceCatalogue(tx.em, ctx.providers.catalogue.channel);
  });
  await ctx.providers.catalogue.reload();
  return lineOf(ctx, field);
}

/** Withdraws a change that has not begun. Errors: parameter_invalid, action_not_allowed. */
export async function withdrawChange(ctx: CatalogueContext, id: string): Promise<CatalogueLine> {
  const { catalogue } = ctx.providers;
  await catalogue.reload();
  const entry = catalogue.entries().find((one) => one.id === id);
  if (!entry) throw fail('parameter_invalid', { field: 'id', reason: because('catalogue_change_unknown') });
  const field = fieldNamed(ctx, entry);
  await inTransaction(ctx, async (tx) => {
    await lockCatalogue(tx.em);
    if (!(await withdrawEntry(tx.em, id, ctx.clock.now(), setterOf(ctx))))
      throw fail('action_not_allowed', { reason: because('catalogue_change_begun') });
    await announceCatalogue(tx.em, catalogue.channel);
  });
  await catalogue.reload();
  return lineOf(ctx, field);
}

/** The values in force now, in the form of a file: part -> code -> field -> value. */
export function exportCatalogue(ctx: CatalogueContext): Record<string, Record<string, Record<string, unknown>>> {
  const file: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const { field, ahead } of catalogueLines(ctx)) {
    const [part = '', code = ''] = field.item.split('.');
    const codes = (file[part] ??= {});
    (codes[code] ??= {})[field.name] = toFileForm(field.kind, ahead[0]?.value ?? field.usual);
  }
  return file;
}
