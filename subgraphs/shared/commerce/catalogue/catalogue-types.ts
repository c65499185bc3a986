// The shareable GraphQL types of a catalogue, declared once, so that all sellers declare them alike.
import type { Context } from '#platform/context.ts';
import type { createBuilder } from '#platform/schema-builder.ts';
import { CATALOGUE_ENTRY_STATES, type CatalogueMoment } from './catalogue-entry.ts';
import { CATALOGUE_KINDS, toText } from './catalogue-value.ts';
import type { CatalogueLine } from './change-catalogue.ts';
import type { CatalogueField as Field } from './catalogue-entry.ts';

type Builder<Ctx extends Pick<Context, 'viewer'>> = ReturnType<typeof createBuilder<Ctx>>;

/** The moments with their values as text. */
export const inWords = ({ kind }: Field, moments: readonly CatalogueMoment[]) =>
  moments.map(({ from, value }) => ({ from, value: toText(kind, value) }));

/** Declares the types of the catalogue. Call it once per builder. */
export function declareCatalogue<Ctx extends Pick<Context, 'viewer'>>(builder: Builder<Ctx>) {
  const CatalogueKind = builder.enumType('CatalogueKind', { values: CATALOGUE_KINDS });
  const CatalogueEntryState = builder.enumType('CatalogueEntryState', { values: CATALOGUE_ENTRY_STATES });
  const CatalogueMoment = builder.objectRef<{ from: Date; value: string }>('CatalogueMoment').implement({
    shareable: true,
    fields: (t) => ({ from: t.expose('from', { type: 'DateTime' }), value: t.exposeString('value') }),
  });
  const CatalogueEntry = builder.objectRef<CatalogueLine['history'][number]>('CatalogueEntry').implement({
    shareable: true,
    fields: (t) => ({
      id: t.exposeID('id'),
      value: t.exposeString('text'),
      from: t.expose('from', { type: 'DateTime' }),
      until: t.expose('until', { type: 'DateTime', nullable: true }),
      setAt: t.expose('setAt', { type: 'DateTime' }),
      setBy: t.exposeString('setBy'),
      reason: t.exposeString('reason'),
      state: t.expose('state', { type: CatalogueEntryState }),
    }),
  });
  const CatalogueField = builder.objectRef<CatalogueLine>('CatalogueField').implement({
    shareable: true,
    fields: (t) => ({
      item: t.string({ resolve: ({ field }) => field.item }),
      name: t.string({ resolve: ({ field }) => field.name }),
      kind: t.field({ type: CatalogueKind, resolve: ({ field }) => field.kind }),
      value: t.exposeString('value'),
      ahead: t.field({ type: [CatalogueMoment], resolve: ({ field, ahead }) => inWords(field, ahead) }),
      history: t.expose('history', { type: [CatalogueEntry] }),
    }),
  });
  return { CatalogueField, CatalogueMoment, CatalogueEntryState };
}

export type CatalogueTypes<Ctx extends Pick<Context, 'viewer'>> = ReturnType<typeof declareCatalogue<Ctx>>;
