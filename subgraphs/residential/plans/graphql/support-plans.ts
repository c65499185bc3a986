// What support sees of an account's residential plans.
import { builder } from '../../builder.ts';
import { plansOfAccount } from '../entities/plan.ts';
import { ResidentialPlan } from './residential-plan.ts';

builder.queryField('supportResidentialPlans', (t) =>
  t.field({
    type: [ResidentialPlan],
    authScopes: { staff: true },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_root, { accountId }, { em, clock }) => plansOfAccount(em, accountId, clock.now()),
  }),
);
