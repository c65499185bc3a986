import { declareCatalogueDesk } from '#commerce/catalogue/catalogue-desk.ts';
import { builder } from '../../builder.ts';

export const catalogueTypes = declareCatalogueDesk(builder, {
  lines: 'supportResidentialCatalogue',
  preview: 'supportResidentialCataloguePreview',
  set: 'supportResidentialCatalogueSet',
  withdraw: 'supportResidentialCatalogueWithdraw',
});
