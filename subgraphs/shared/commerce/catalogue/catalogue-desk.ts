// The desk of a catalogue, declared once: each seller names its four operations. All of it is for staff alone.
import type { createBuilder } from '#platform/schema-builder.ts';
import { declareCatalogue, inWords } from './catalogue-types.ts';
import { type CatalogueContext, catalogueLines, previewChange, setCatalogueValue, withdrawChange } from './change-catalogue.ts';

/** What the graph calls each operation. */
interface Operations {
  lines: string;
  preview: string;
  set: string;
  withdraw: string;
}

/** Once per builder, with the types that it answers in. */
export function declareCatalogueDesk<Ctx extends CatalogueContext>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  names: Operations,
): void {
  const { CatalogueField, CatalogueMoment } = declareCatalogue(builder);
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
}
