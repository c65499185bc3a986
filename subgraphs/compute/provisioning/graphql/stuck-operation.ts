// Operations that make no progress, for those who operate the platform.
import { builder } from '../../builder.ts';
import { type OperationRow, operationsOfServer } from '../../operations/entities/operation.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { Account } from '../../servers/graphql/account.ts';
import { retryOperation, stuckNow } from '../services/stuck-operations.ts';

const STAFF = { staff: 'machines' } as const;
const HISTORY = 10;

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
    resolve: (_root, _args, ctx) => stuckNow(ctx),
  }),
);

builder.mutationField('supportOperationRetry', (t) =>
  t.boolean({
    authScopes: STAFF,
    args: { id: t.arg.id({ required: true }) },
    async resolve(_root, { id }, ctx) {
      await retryOperation(ctx, id);
      return true;
    },
  }),
);
