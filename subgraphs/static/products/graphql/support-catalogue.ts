// The desk of the catalogue. Every field is for staff alone.
import { declareCatalogue, inWords } from '#commerce/catalogue/catalogue-types.ts';
import { catalogueLines, previewChange, setCatalogueValue, withdrawChange } from '#commerce/catalogue/change-catalogue.ts';
import { builder } from '../../builder.ts';

const { CatalogueField, CatalogueMoment } = declareCatalogue(builder);

builder.queryFields((t) => ({
  supportStaticCatalogue: t.field({
    type: [CatalogueField],
    authScopes: { staff: 'catalogue' },
    resolve: (_root, _args, ctx) => catalogueLines(ctx),
  }),
  supportStaticCataloguePreview: t.field({
    type: [CatalogueMoment],
    authScopes: { staff: 'catalogue' },
    args: {
      item: t.arg.string({ required: true }),
      field: t.arg.string({ required: true }),
      value: t.arg.string({ required: true }),
      from: t.arg({ type: 'DateTime' }),
      until: t.arg({ type: 'DateTime' }),
    },
    resolve(_root, change, ctx) {
      const { field, moments } = previewChange(ctx, change);
      return inWords(field, moments);
    },
  }),
}));

builder.mutationFields((t) => ({
  supportStaticCatalogueSet: t.field({
    type: CatalogueField,
    authScopes: { staff: 'catalogue' },
    args: {
      item: t.arg.string({ required: true }),
      field: t.arg.string({ required: true }),
      value: t.arg.string({ required: true }),
      from: t.arg({ type: 'DateTime' }),
      until: t.arg({ type: 'DateTime' }),
      reason: t.arg.string({ required: true }),
    },
    resolve: (_root, change, ctx) => setCatalogueValue(ctx, change),
  }),
  supportStaticCatalogueWithdraw: t.field({
    type: CatalogueField,
    authScopes: { staff: 'catalogue' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => withdrawChange(ctx, id),
  }),
}));
