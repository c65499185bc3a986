import { declareAccountPriceDesk } from '#commerce/account-prices/account-price-desk.ts';
import { builder } from '../../builder.ts';
import { catalogueTypes } from './support-catalogue.ts';

declareAccountPriceDesk(builder, 'compute', catalogueTypes, {
  list: 'supportComputeAccountPrices',
  waiting: 'supportComputeAccountPricesWaiting',
  preview: 'supportComputeAccountPricePreview',
  lowering: 'supportComputeAccountPriceLowering',
  set: 'supportComputeAccountPriceSet',
  agree: 'supportComputeAccountPriceAgree',
  refuse: 'supportComputeAccountPriceRefuse',
  end: 'supportComputeAccountPriceEnd',
});
