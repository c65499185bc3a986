import { declareAccountPriceDesk } from '#commerce/account-prices/account-price-desk.ts';
import { builder } from '../../builder.ts';
import { catalogueTypes } from './support-catalogue.ts';

declareAccountPriceDesk(builder, 'residential', catalogueTypes, {
  list: 'supportResidentialAccountPrices',
  preview: 'supportResidentialAccountPricePreview',
  set: 'supportResidentialAccountPriceSet',
  end: 'supportResidentialAccountPriceEnd',
});
