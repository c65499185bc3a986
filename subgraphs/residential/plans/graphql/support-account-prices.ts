import { declareAccountPriceDesk } from '#commerce/account-prices/account-price-desk.ts';
import { builder } from '../../builder.ts';
import { catalogueTypes } from './support-catalogue.ts';

declareAccountPriceDesk(builder, 'residential', catalogueTypes, {
  list: 'supportResidentialAccountPrices',
  waiting: 'supportResidentialAccountPricesWaiting',
  preview: 'supportResidentialAccountPricePreview',
  lowering: 'supportResidentialAccountPriceLowering',
  set: 'supportResidentialAccountPriceSet',
  agree: 'supportResidentialAccountPriceAgree',
  refuse: 'supportResidentialAccountPriceRefuse',
  end: 'supportResidentialAccountPriceEnd',
});
