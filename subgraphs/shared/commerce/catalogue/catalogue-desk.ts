// The support desk's operations on a catalogue, declared once for all sellers; each seller names its four operations. For staff only.
import type { createBuilder } from '#platform/schema-builder.ts';
import { type CatalogueTypes, declareCatalogue, inWords } from './catalogue-types.ts';
import { type CatalogueContext, catalogueLines, previewChange, setCatalogueValue, withdrawChange } from './change-catalogue.ts';

/** The name of each operation in the graph. */
interface Operations {
  lines: string;
  preview: string;
  set: string;
  withdraw: string;
}

/** Declares the operations, and their types, which it returns. Call it once per builder. */
export function declareCatalogueDesk<Ctx extends CatalogueContext>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  names: Operations,
): CatalogueTypes<Ctx> {
  const types = declareCatalogue(builder);
  const { CatalogueField, CatalogueMoment } = types;
  const change = builder.args((t) => ({
    item: t.string({ required: true }),
    field: t.string({ required: true }),
    value: t.string({ required: true }),
    from: t.field({ type: 'DateTime' }),
    until: t.field({ type: 'DateTime' }),
  }));
  builder.queryFields((t) => ({
    [names.lines]: t.field({
      type: [CatalogueField],
      authScopes: { staff: 'catalogue' },
      resolve: (_root, _args, ctx) => catalogueLines(ctx),
    }),
    [names.preview]: t.field({
      type: [CatalogueMoment],
      authScopes: { staff: 'catalogue' },
      args: change,
      resolve(_root, wish, ctx) {
        const { field, moments } = previewChange(ctx, wish);
        return inWords(field, moments);
      },
    }),
  }));
  builder.mutationFields((t) => ({
    [names.set]: t.field({
      type: CatalogueField,
      authScopes: { staff: 'catalogue' },
      args: { ...change, reason: t.arg.string({ required: true }) },
      resolve: (_root, wish, ctx) => setCatalogueValue(ctx, wish),
    }),
    [names.withdraw]: t.field({
      type: CatalogueField,
      authScopes: { staff: 'catalogue' },
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => withdrawChange(ctx, id),
    }),
  }));
  return types;
}
