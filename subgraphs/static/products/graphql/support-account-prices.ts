import { declareAccountPriceDesk } from '#commerce/account-prices/account-price-desk.ts';
import { builder } from '../../builder.ts';
import { catalogueTypes } from './support-catalogue.ts';

declareAccountPriceDesk(builder, 'static', catalogueTypes, {
  list: 'supportStaticAccountPrices',
  waiting: 'supportStaticAccountPricesWaiting',
  preview: 'supportStaticAccountPricePreview',
  lowering: 'supportStaticAccountPriceLowering',
  set: 'supportStaticAccountPriceSet',
  agree: 'supportStaticAccountPriceAgree',
  refuse: 'supportStaticAccountPriceRefuse',
  end: 'supportStaticAccountPriceEnd',
});
