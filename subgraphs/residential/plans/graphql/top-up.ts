import { builder } from '../../builder.ts';
import { type TopUp, topUpsOf } from '../entities/top-up.ts';
import { ResidentialPlan } from './residential-plan.ts';

const ResidentialTopUp = builder.objectRef<TopUp>('ResidentialTopUp').implement({
  fields: (t) => ({
    orderId: t.exposeID('orderId'),
    bytes: t.expose('bytes', { type: 'Bytes' }),
    takenBackAt: t.expose('takenBackAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.objectField(ResidentialPlan, 'topUps', (t) =>
  t.field({ type: [ResidentialTopUp], resolve: async ({ id }, _args, { em }) => (await topUpsOf(em, id)).toReversed() }),
);
