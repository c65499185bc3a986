import { declareRepricingDesk } from '#commerce/repricing/repricing-desk.ts';
import { builder } from '../../builder.ts';
import { REPRICED_SERVERS } from '../services/repriced-servers.ts';

declareRepricingDesk(builder, 'compute', REPRICED_SERVERS, {
  list: 'supportComputeRepricings',
  announce: 'supportComputeReprice',
  withdraw: 'supportComputeRepricingWithdraw',
});
