import { declareCatalogueDesk } from '#commerce/catalogue/catalogue-desk.ts';
import { builder } from '../../builder.ts';

declareCatalogueDesk(builder, {
  lines: 'supportStaticCatalogue',
  preview: 'supportStaticCataloguePreview',
  set: 'supportStaticCatalogueSet',
  withdraw: 'supportStaticCatalogueWithdraw',
});
