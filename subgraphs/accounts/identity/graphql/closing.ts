import { KEPT, type KeptKind } from '../../../../schema/codes/kept.ts';
import { builder } from '../../builder.ts';
import { type KeptAfterClosing, keptAfterClosing } from '../domain/retention.ts';
import { closeAccount } from '../services/close-account.ts';

const KeptKindRef = builder.enumType('KeptKind', { values: Object.keys(KEPT) as KeptKind[] });

const KeptData = builder.objectRef<KeptAfterClosing>('KeptData').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: KeptKindRef }),
    what: t.string({ resolve: ({ kind }) => KEPT[kind].what }),
    days: t.exposeInt('days'),
    why: t.string({ resolve: ({ kind }) => KEPT[kind].why }),
  }),
});

builder.queryField('accountClosingTerms', (t) =>
  t.field({ type: [KeptData], authScopes: { anyone: true }, resolve: (_, __, { providers }) => keptAfterClosing(providers.retention) }),
);

builder.mutationField('accountClose', (t) =>
  t.field({
    type: [KeptData],
    authScopes: { session: true },
    args: { password: t.arg.string() },
    resolve: (_, { password }, ctx) => closeAccount(ctx, password),
  }),
);
