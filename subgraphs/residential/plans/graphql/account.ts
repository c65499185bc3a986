import { builder } from '../../builder.ts';

/** Accounts' type, known here by id only. */
export const Account = builder.objectRef<{ id: string }>('Account').implement({ fields: (t) => ({ id: t.exposeID('id') }) });

builder.asEntity(Account, {
  key: builder.keyDirective(builder.selection<{ id: string }>('id'), false),
  resolveReference: ({ id }) => ({ id }),
});
