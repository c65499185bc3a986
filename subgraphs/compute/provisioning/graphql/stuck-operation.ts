// Operations that make no progress, for those who operate the platform.
import { OPERATION_STUCK_MINUTES } from '../../../../schema/limits.ts';
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import {
  type OperationRow,
  hurryOperation,
  operationsByIds,
  operationsOfServer,
  stuckOperations,
} from '../../operations/entities/operation.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { Account } from '../../servers/graphql/account.ts';

const STAFF = { staff: 'machines' } as const;
/** Trouble that lasts longer than this does not pass by itself. */
const STUCK_MS = OPERATION_STUCK_MINUTES * MINUTE;
const [OPERATIONS_MAX, HISTORY] = [200, 10];

const StuckOperation = builder.objectRef<OperationRow>('StuckOperation').implement({
  fields: (t) => ({
    operation: t.field({ type: Operation, resolve: (operation) => operation }),
    serverId: t.exposeID('serverId'),
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    tries: t.exposeInt('tries'),
    trouble: t.exposeString('trouble', { nullable: true }),
    history: t.field({
      type: [Operation],
      resolve: async ({ id, serverId }, _args, { em }) =>
        (await operationsOfServer(em, serverId, HISTORY + 1)).filter((one) => one.id !== id),
    }),
  }),
});

builder.queryField('supportStuckOperations', (t) =>
  t.field({
    type: [StuckOperation],
    authScopes: STAFF,
    resolve: (_root, _args, { em, clock }) => stuckOperations(em, after(clock.now(), -STUCK_MS), OPERATIONS_MAX),
  }),
);

builder.mutationField('supportOperationRetry', (t) =>
  t.boolean({
    authScopes: STAFF,
    args: { id: t.arg.id({ required: true }) },
    async resolve(_root, { id }, ctx) {
      const [operation] = await operationsByIds(ctx.em, [id]);
      if (operation?.status !== 'RUNNING') throw fail('hand_work_not_found');
      await inTransaction(ctx, async ({ em, clock, jobs }) => {
        await hurryOperation(em, id, clock.now());
        await jobs.enqueue(em, 'compute.operation-continue', { operationId: id }, { key: id });
      });
      return true;
    },
  }),
);
