import { builder } from '../../builder.ts';
import { AFTER_CLOSING } from '../domain/retention.ts';
import { closeAccount } from '../services/close-account.ts';

const KeptData = builder.objectRef<(typeof AFTER_CLOSING)[number]>('KeptData').implement({
  fields: (t) => ({ what: t.exposeString('what'), days: t.exposeInt('days'), why: t.exposeString('why') }),
});

builder.queryField('accountClosingTerms', (t) =>
  t.field({ type: [KeptData], authScopes: { anyone: true }, resolve: () => [...AFTER_CLOSING] }),
);

builder.mutationField('accountClose', (t) =>
  t.field({
    type: [KeptData],
    authScopes: { session: true },
    args: { password: t.arg.string() },
    resolve: async (_, { password }, ctx) => [...(await closeAccount(ctx, password))],
  }),
);
