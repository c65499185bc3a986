import { declareCatalogueDesk } from '#commerce/catalogue/catalogue-desk.ts';
import { builder } from '../../builder.ts';

declareCatalogueDesk(builder, {
  lines: 'supportResidentialCatalogue',
  preview: 'supportResidentialCataloguePreview',
  set: 'supportResidentialCatalogueSet',
  withdraw: 'supportResidentialCatalogueWithdraw',
});
