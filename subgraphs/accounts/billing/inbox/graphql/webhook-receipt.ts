import { builder } from '../../../builder.ts';
import { receiveNotice } from '../services/notices.ts';

const WebhookReceipt = builder
  .objectRef<{ stored: boolean }>('WebhookReceipt')
  .implement({ inaccessible: true, fields: (t) => ({ stored: t.exposeBoolean('stored') }) });

builder.mutationField('webhookReceive', (t) =>
  t.field({
    type: WebhookReceipt,
    inaccessible: true,
    authScopes: { system: true },
    args: { source: t.arg.string({ required: true }), body: t.arg.string({ required: true }), signature: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => receiveNotice(ctx, input),
  }),
);
