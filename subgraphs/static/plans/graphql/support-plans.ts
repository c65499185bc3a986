// What support sees of an account's static plans.
import { builder } from '../../builder.ts';
import { plansOfAccount } from '../entities/static-plan.ts';
import { StaticPlan } from './static-plan.ts';

builder.queryField('supportStaticPlans', (t) =>
  t.field({
    type: [StaticPlan],
    authScopes: { staff: true },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_root, { accountId }, { em }) => plansOfAccount(em, accountId),
  }),
);
