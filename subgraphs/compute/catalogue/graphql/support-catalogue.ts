import { declareCatalogueDesk } from '#commerce/catalogue/catalogue-desk.ts';
import { builder } from '../../builder.ts';

export const catalogueTypes = declareCatalogueDesk(builder, {
  lines: 'supportComputeCatalogue',
  preview: 'supportComputeCataloguePreview',
  set: 'supportComputeCatalogueSet',
  withdraw: 'supportComputeCatalogueWithdraw',
});
