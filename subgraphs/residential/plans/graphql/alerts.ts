import { builder } from '../../builder.ts';
import { type AlertMarks, percentsOf } from '../domain/low-balance.ts';
import { setAlerts } from '../services/set-alerts.ts';
import { ResidentialPlan } from './residential-plan.ts';

const PlanAlerts = builder.objectRef<AlertMarks>('PlanAlerts').implement({
  fields: (t) => ({
    isDefault: t.boolean({ resolve: ({ percents }) => percents === null }),
    percents: t.intList({ resolve: ({ percents }) => [...percentsOf(percents)] }),
    leftBytes: t.field({ type: ['Bytes'], resolve: ({ leftBytes }) => [...leftBytes] }),
  }),
});

builder.objectField(ResidentialPlan, 'alerts', (t) =>
  t.field({ type: PlanAlerts, resolve: ({ alertPercents: percents, alertLeftBytes: leftBytes }) => ({ percents, leftBytes }) }),
);

const PlanAlertsInput = builder.inputType('PlanAlertsInput', {
  fields: (t) => ({
    percents: t.intList({ required: true }),
    leftBytes: t.field({ type: ['Bytes'], required: true, defaultValue: [] }),
  }),
});

builder.mutationField('residentialPlanSetAlerts', (t) =>
  t.field({
    type: ResidentialPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: PlanAlertsInput }) },
    resolve: (_root, { id, input }, ctx) => setAlerts(ctx, id, input ?? null),
  }),
);
