import { builder } from '../../builder.ts';
import { type RefusedMail as RefusedMailEntity, refusedMails } from '../../mail/entities/mail.ts';
import { sendAgain } from '../services/refused-mails.ts';

const MAX_SHOWN = 200;

const RefusedMail = builder.objectRef<RefusedMailEntity>('RefusedMail').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    recipient: t.exposeString('recipient'),
    kind: t.exposeString('kind'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    refusedAt: t.expose('failedAt', { type: 'DateTime' }),
    reason: t.exposeString('failure'),
  }),
});

builder.queryFields((t) => ({
  supportMails: t.field({ type: [RefusedMail], authScopes: { staff: 'mails' }, resolve: (_, __, { em }) => refusedMails(em, MAX_SHOWN) }),
}));

builder.mutationFields((t) => ({
  supportMailSendAgain: t.field({
    type: RefusedMail,
    authScopes: { staff: 'mails' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => sendAgain(ctx, id),
  }),
}));
