import type { DeadLetter as DeadLetterEntity } from '#platform/dead-letters.ts';
import { builder } from '../../builder.ts';
import { redriveDeadLetters, waitingDeadLetters } from '../services/dead-letters.ts';

const DeadLetter = builder.objectRef<DeadLetterEntity>('DeadLetter').implement({
  fields: (t) => ({
    id: t.exposeID('position'),
    reader: t.exposeString('reader'),
    type: t.string({ resolve: ({ event }) => event.type }),
    subject: t.id({ resolve: ({ event }) => event.subject }),
    accountId: t.id({ nullable: true, resolve: ({ event }) => event.accountId }),
    happenedAt: t.field({ type: 'DateTime', resolve: ({ event }) => event.at }),
    attempts: t.exposeInt('attempts'),
    error: t.exposeString('error', { nullable: true }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
    nextTryAt: t.expose('nextTryAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryField('supportDeadLetters', (t) =>
  t.field({ type: [DeadLetter], authScopes: { staff: 'events' }, resolve: (_, __, ctx) => waitingDeadLetters(ctx) }),
);

builder.mutationField('supportDeadLettersRedrive', (t) =>
  t.field({
    type: [DeadLetter],
    authScopes: { staff: 'events' },
    args: { id: t.arg.id() },
    resolve: (_, { id }, ctx) => redriveDeadLetters(ctx, id ?? null),
  }),
);
