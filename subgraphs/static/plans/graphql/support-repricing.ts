import { declareRepricingDesk } from '#commerce/repricing/repricing-desk.ts';
import { builder } from '../../builder.ts';
import { REPRICED_PLANS } from '../services/repriced-plans.ts';

declareRepricingDesk(builder, 'static', REPRICED_PLANS, {
  list: 'supportStaticRepricings',
  announce: 'supportStaticReprice',
  withdraw: 'supportStaticRepricingWithdraw',
});
