import { builder } from '../../builder.ts';
import { PLAN_COLOURS, type PlanLabel } from '../domain/plan-label.ts';
import { labelOf } from '../entities/plan-label.ts';
import { setLabel } from '../services/set-label.ts';
import { ResidentialPlan } from './residential-plan.ts';

const PlanColour = builder.enumType('PlanColour', { values: PLAN_COLOURS });

const PlanLabelType = builder.objectRef<PlanLabel>('PlanLabel').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    note: t.exposeString('note'),
    colour: t.expose('colour', { type: PlanColour, nullable: true }),
  }),
});

builder.objectField(ResidentialPlan, 'label', (t) => t.field({ type: PlanLabelType, resolve: ({ id }, _args, { em }) => labelOf(em, id) }));

const PlanLabelInput = builder.inputType('PlanLabelInput', {
  fields: (t) => ({
    name: t.string({ required: true, defaultValue: '' }),
    note: t.string({ required: true, defaultValue: '' }),
    colour: t.field({ type: PlanColour }),
  }),
});

builder.mutationField('residentialPlanSetLabel', (t) =>
  t.field({
    type: ResidentialPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: PlanLabelInput, required: true }) },
    resolve: (_root, { id, input }, ctx) => setLabel(ctx, id, { ...input, colour: input.colour ?? null }),
  }),
);
