// The delivery desk of support: the machines, and what waits for somebody's hands.
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { type BareMetalRow, allMachines, machineOfServer } from '../entities/bare-metal.ts';
import { type HandWorkRow } from '../../operations/entities/hand-work.ts';
import { operationsByIds } from '../../operations/entities/operation.ts';
import { type ServerRow, serversByIds } from '../../servers/entities/server.ts';
import { claimWork, finishWork, passwordForWork, refuseWork, waitingWork } from '../../operations/services/hand-work.ts';
import { changeService, importMachines } from '../services/machine-inventory.ts';
import { dedicatedPlan } from '../../orders/services/order-dedicated.ts';
import { Account } from '../../orders/graphql/account.ts';
import { DedicatedPlan, DedicatedPlanCode } from '../../orders/graphql/dedicated-plan.ts';
import { OperatingSystem } from '../../servers/graphql/operating-system.ts';
import { Operation } from '../../operations/graphql/operation.ts';

const STAFF = { staff: true } as const;

const Machine = builder.objectRef<BareMetalRow>('Machine').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    plan: t.field({ type: DedicatedPlan, resolve: ({ planCode }, _args, ctx) => dedicatedPlan(ctx, planCode) }),
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

interface Work extends HandWorkRow {
  server: ServerRow;
}

const HandWork = builder.objectRef<Work>('HandWork').implement({
  fields: (t) => ({
    operation: t.field({
      type: Operation,
      async resolve({ operationId }, _args, { em }) {
        const [operation] = await operationsByIds(em, [operationId]);
        if (!operation) throw fail('hand_work_not_found');
        return operation;
      },
    }),
    account: t.field({ type: Account, resolve: ({ server }) => ({ id: server.accountId }) }),
    serverId: t.exposeID('serverId'),
    hostname: t.string({ resolve: ({ server }) => server.hostname }),
    os: t.field({ type: OperatingSystem, nullable: true, resolve: ({ server }) => server.os }),
    loginName: t.string({ nullable: true, resolve: ({ server }) => server.loginName }),
    machine: t.field({
      type: Machine,
      nullable: true,
      resolve: async ({ serverId }, _args, { em }) => (await machineOfServer(em, serverId)) ?? null,
    }),
    claimedBy: t.exposeString('claimedBy', { nullable: true }),
    claimedAt: t.expose('claimedAt', { type: 'DateTime', nullable: true }),
    mine: t.boolean({ resolve: ({ claimedBy }, _args, { viewer }) => viewer.kind === 'session' && viewer.accountId === claimedBy }),
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

async function withServers(works: HandWorkRow[], em: Parameters<typeof serversByIds>[0]): Promise<Work[]> {
  const servers = await serversByIds(
    em,
    works.map(({ serverId }) => serverId),
  );
  return works.flatMap((work) => {
    const server = servers.find(({ id }) => id === work.serverId);
    return server ? [{ ...work, server }] : [];
  });
}

builder.queryFields((t) => ({
  supportMachines: t.field({ type: [Machine], authScopes: STAFF, resolve: (_root, _args, { em }) => allMachines(em) }),
  supportHandWork: t.field({
    type: [HandWork],
    authScopes: STAFF,
    resolve: async (_root, _args, ctx) => withServers(await waitingWork(ctx), ctx.em),
  }),
}));

builder.mutationFields((t) => {
  const operationId = t.arg.id({ required: true });
  return {
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
    supportHandWorkClaim: t.field({
      type: HandWork,
      authScopes: STAFF,
      args: { operationId },
      async resolve(_root, args, ctx) {
        const [work] = await withServers([await claimWork(ctx, args.operationId)], ctx.em);
        if (!work) throw fail('hand_work_not_found');
        return work;
      },
    }),
    supportHandWorkRevealPassword: t.string({
      authScopes: STAFF,
      args: { operationId },
      resolve: (_root, args, ctx) => passwordForWork(ctx, args.operationId),
    }),
    supportHandWorkDone: t.boolean({
      authScopes: STAFF,
      args: { operationId, loginName: t.arg.string() },
      async resolve(_root, args, ctx) {
        await finishWork(ctx, args.operationId, args.loginName ?? undefined);
        return true;
      },
    }),
    supportHandWorkRefuse: t.boolean({
      authScopes: STAFF,
      args: { operationId, reason: t.arg.string({ required: true }) },
      async resolve(_root, args, ctx) {
        await refuseWork(ctx, args.operationId, args.reason);
        return true;
      },
    }),
  };
});
