// The machines of dedicated servers, as support manages them.
import { builder } from '../../builder.ts';
import { type BareMetalRow, allMachines } from '../entities/bare-metal.ts';
import { changeService, importMachines, planStock } from '../services/machine-inventory.ts';
import { DedicatedPlan, DedicatedPlanCode } from '../../catalogue/graphql/dedicated-plan.ts';
import { dedicatedPlan } from '../../catalogue/services/dedicated-plan.ts';

const STAFF = { staff: 'machines' } as const;

export const Machine = builder.objectRef<BareMetalRow>('Machine').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    plan: t.field({ type: DedicatedPlan, resolve: ({ planCode }, _args, ctx) => dedicatedPlan(ctx.providers.shop, planCode) }),
    ip: t.exposeString('ip'),
    prefixLength: t.exposeInt('prefixLength'),
    gateway: t.exposeString('gateway'),
    mac: t.exposeString('mac', { nullable: true }),
    controllerUrl: t.exposeString('controllerUrl', { nullable: true }),
    serverId: t.exposeID('serverId', { nullable: true }),
    restsUntil: t.expose('restsUntil', { type: 'DateTime' }),
    outOfService: t.exposeBoolean('outOfService'),
  }),
});

const KeptMachines = builder.objectRef<{ kept: number; problems: string[] }>('KeptMachines').implement({
  fields: (t) => ({ kept: t.exposeInt('kept'), problems: t.exposeStringList('problems') }),
});

const ControllerInput = builder.inputType('MachineControllerInput', {
  fields: (t) => ({
    url: t.string({ required: true }),
    system: t.string({ required: true }),
    username: t.string({ required: true }),
    password: t.string({ required: true }),
  }),
});
const MachineInput = builder.inputType('MachineInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    plan: t.field({ type: DedicatedPlanCode, required: true }),
    ip: t.string({ required: true }),
    prefixLength: t.int({ required: true }),
    gateway: t.string({ required: true }),
    mac: t.string(),
    controller: t.field({ type: ControllerInput }),
  }),
});

builder.queryFields((t) => ({
  supportMachines: t.field({ type: [Machine], authScopes: STAFF, resolve: (_root, _args, { em }) => allMachines(em) }),
}));

builder.mutationFields((t) => ({
  supportMachinesKeep: t.field({
    type: KeptMachines,
    authScopes: STAFF,
    args: { machines: t.arg({ type: [MachineInput], required: true }) },
    resolve: (_root, { machines }, ctx) =>
      importMachines(
        ctx,
        machines.map(({ mac, controller, ...machine }) => ({ ...machine, ...(mac && { mac }), ...(controller && { controller }) })),
      ),
  }),
  supportMachineSetService: t.boolean({
    authScopes: STAFF,
    args: { id: t.arg.id({ required: true }), outOfService: t.arg.boolean({ required: true }) },
    async resolve(_root, { id, outOfService }, ctx) {
      await changeService(ctx, id, outOfService);
      return true;
    },
  }),
}));

builder.objectField(DedicatedPlan, 'stock', (t) => t.int({ resolve: ({ code }, _args, ctx) => planStock(ctx, code) }));
