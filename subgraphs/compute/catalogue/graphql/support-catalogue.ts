import { declareCatalogueDesk } from '#commerce/catalogue/catalogue-desk.ts';
import { builder } from '../../builder.ts';

declareCatalogueDesk(builder, {
  lines: 'supportComputeCatalogue',
  preview: 'supportComputeCataloguePreview',
  set: 'supportComputeCatalogueSet',
  withdraw: 'supportComputeCatalogueWithdraw',
});
