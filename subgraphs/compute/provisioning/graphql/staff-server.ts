// A server as staff operate it, and what they do with it.
import { builder } from '../../builder.ts';
import { vpsSize } from '../../catalogue/domain/vps-plan.ts';
import { fits } from '../../machines/domain/placement.ts';
import { lookAtNodes, roomTerms } from '../../machines/services/placement.ts';
import { type OperationRow, operationsOfServer } from '../../operations/entities/operation.ts';
import { AvailableAction, Operation } from '../../operations/graphql/operation.ts';
import { staffActions } from '../../servers/domain/staff-action.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import { Server } from '../../servers/graphql/server.ts';
import { staffFacts } from '../../servers/services/server-facts.ts';
import {
  changeServerAddress,
  deleteServer,
  drainNode,
  moveServer,
  rebuildServer,
  restoreServer,
  staffServer,
  suspendServer,
} from '../services/staff-on-servers.ts';

const OPERATIONS_SHOWN = 20;

const StaffOperation = builder.objectRef<OperationRow>('StaffOperation').implement({
  fields: (t) => ({
    operation: t.field({ type: Operation, resolve: (operation) => operation }),
    tries: t.exposeInt('tries'),
    trouble: t.exposeString('trouble', { nullable: true }),
  }),
});

const StaffServer = builder.objectRef<ServerRow>('StaffServer').implement({
  fields: (t) => ({
    server: t.field({ type: Server, resolve: (server) => server }),
    status: t.exposeString('status'),
    node: t.exposeString('node', { nullable: true }),
    machineNumber: t.exposeInt('machineNumber', { nullable: true }),
    suspendedAt: t.expose('haltedAt', { type: 'DateTime', nullable: true }),
    suspensionReason: t.exposeString('haltedReason', { nullable: true }),
    actions: t.field({ type: [AvailableAction], resolve: async (server, _args, ctx) => staffActions(await staffFacts(ctx, server)) }),
    operations: t.field({ type: [StaffOperation], resolve: ({ id }, _args, { em }) => operationsOfServer(em, id, OPERATIONS_SHOWN) }),
    nodes: t.stringList({
      async resolve({ kind, planCode, node }, _args, ctx) {
        const size = kind === 'VPS' ? vpsSize(planCode) : undefined;
        if (!size) return [];
        const known = await lookAtNodes(ctx, Number.MAX_SAFE_INTEGER / 2);
        return known.filter((one) => one.name !== node && fits(one, size, roomTerms(ctx)) > 0).map(({ name }) => name);
      },
    }),
  }),
});

builder.queryField('supportServer', (t) =>
  t.field({
    type: StaffServer,
    authScopes: { staff: 'customers' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => staffServer(ctx, id),
  }),
);

const [ABUSE, OPERATE] = [{ staff: 'suspend' }, { staff: 'machines' }] as const;

builder.mutationFields((t) => {
  const [id, reason, hostname] = [t.arg.id({ required: true }), t.arg.string({ required: true }), t.arg.string({ required: true })];
  return {
    supportServerSuspend: t.boolean({
      authScopes: ABUSE,
      args: { id, reason },
      async resolve(_root, args, ctx) {
        await suspendServer(ctx, args);
        return true;
      },
    }),
    supportServerRestore: t.boolean({
      authScopes: ABUSE,
      args: { id, reason },
      async resolve(_root, args, ctx) {
        await restoreServer(ctx, args);
        return true;
      },
    }),
    supportServerDelete: t.boolean({
      authScopes: ABUSE,
      args: { id, hostname, reason },
      async resolve(_root, args, ctx) {
        await deleteServer(ctx, args);
        return true;
      },
    }),
    supportServerRebuild: t.field({
      type: Operation,
      authScopes: OPERATE,
      args: { id, hostname, reason },
      resolve: (_root, args, ctx) => rebuildServer(ctx, args),
    }),
    supportServerMove: t.field({
      type: Operation,
      authScopes: OPERATE,
      args: { id, node: t.arg.string(), reason },
      resolve: (_root, { node, ...args }, ctx) => moveServer(ctx, { ...args, node: node ?? undefined }),
    }),
    supportServerChangeAddress: t.field({
      type: Operation,
      authScopes: OPERATE,
      args: { id, ip: t.arg.string({ required: true }), reason },
      resolve: (_root, args, ctx) => changeServerAddress(ctx, args),
    }),
    supportNodeDrain: t.int({
      authScopes: OPERATE,
      args: { name: t.arg.string({ required: true }), reason },
      resolve: (_root, args, ctx) => drainNode(ctx, args),
    }),
  };
});
