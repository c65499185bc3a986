// The delivery desk of support: operations that wait for a person at the datacenter.
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { machineOfServer } from '../../machines/entities/bare-metal.ts';
import { Machine } from '../../machines/graphql/machine.ts';
import { operationsByIds } from '../../operations/entities/operation.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { type ServerRow, serversByIds } from '../../servers/entities/server.ts';
import { Account } from '../../servers/graphql/account.ts';
import type { ManualTaskRow } from '../entities/manual-task.ts';
import { claimTask, finishTask, passwordForTask, refuseTask, waitingTasks } from '../services/manual-task.ts';

const STAFF = { staff: 'hand_work' } as const;

interface TaskOfServer extends ManualTaskRow {
  server: ServerRow;
}

const ManualTask = builder.objectRef<TaskOfServer>('HandWork').implement({
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

async function withServers(tasks: ManualTaskRow[], em: Parameters<typeof serversByIds>[0]): Promise<TaskOfServer[]> {
  const servers = await serversByIds(
    em,
    tasks.map(({ serverId }) => serverId),
  );
  return tasks.flatMap((task) => {
    const server = servers.find(({ id }) => id === task.serverId);
    return server ? [{ ...task, server }] : [];
  });
}

builder.queryFields((t) => ({
  supportHandWork: t.field({
    type: [ManualTask],
    authScopes: STAFF,
    resolve: async (_root, _args, ctx) => withServers(await waitingTasks(ctx), ctx.em),
  }),
}));

builder.mutationFields((t) => {
  const operationId = t.arg.id({ required: true });
  return {
    supportHandWorkClaim: t.field({
      type: ManualTask,
      authScopes: STAFF,
      args: { operationId },
      async resolve(_root, args, ctx) {
        const [task] = await withServers([await claimTask(ctx, args.operationId)], ctx.em);
        if (!task) throw fail('hand_work_not_found');
        return task;
      },
    }),
    supportHandWorkRevealPassword: t.string({
      authScopes: STAFF,
      args: { operationId },
      resolve: (_root, args, ctx) => passwordForTask(ctx, args.operationId),
    }),
    supportHandWorkDone: t.boolean({
      authScopes: STAFF,
      args: { operationId, loginName: t.arg.string() },
      async resolve(_root, args, ctx) {
        await finishTask(ctx, args.operationId, args.loginName ?? undefined);
        return true;
      },
    }),
    supportHandWorkRefuse: t.boolean({
      authScopes: STAFF,
      args: { operationId, reason: t.arg.string({ required: true }) },
      async resolve(_root, args, ctx) {
        await refuseTask(ctx, args.operationId, args.reason);
        return true;
      },
    }),
  };
});
