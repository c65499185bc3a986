import { builder } from '../../../builder.ts';
import type { InboxNotice } from '../entities/inbox-notice.ts';
import { actOnNoticeAgain, noticesThatWait } from '../services/notices.ts';

const LateNotice = builder.objectRef<InboxNotice>('LateNotice').implement({
  fields: (t) => ({
    id: t.exposeID('noticeId'),
    source: t.exposeString('source'),
    type: t.exposeString('type'),
    objectId: t.exposeID('objectId'),
    receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
    tries: t.exposeInt('tries'),
    error: t.exposeString('error', { nullable: true }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryField('supportLateNotices', (t) =>
  t.field({ type: [LateNotice], authScopes: { staff: 'events' }, resolve: (_, __, ctx) => noticesThatWait(ctx) }),
);

builder.mutationField('supportNoticeAgain', (t) =>
  t.field({
    type: LateNotice,
    authScopes: { staff: 'events' },
    args: { source: t.arg.string({ required: true }), id: t.arg.id({ required: true }) },
    resolve: (_, { source, id }, ctx) => actOnNoticeAgain(ctx, { source, noticeId: id }),
  }),
);
