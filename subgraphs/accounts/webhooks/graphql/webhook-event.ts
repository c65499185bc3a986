import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { CUSTOMER_EVENTS, CUSTOMER_EVENT_TYPES, type CustomerEventType } from '../../../../schema/customer-events.ts';
import { type WebhookEvent as WebhookEventEntity, eventsAfter } from '../entities/webhook-event.ts';

const MAX_EVENTS = 100;

export const WebhookEvent = builder.objectRef<WebhookEventEntity>('WebhookEvent').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    type: t.exposeString('type'),
    at: t.expose('at', { type: 'DateTime' }),
    subject: t.exposeString('subject'),
    body: t.exposeString('body'),
  }),
});

const WebhookEventType = builder.objectRef<CustomerEventType>('WebhookEventType').implement({
  fields: (t) => ({
    name: t.string({ resolve: (name) => name }),
    says: t.string({ resolve: (name) => CUSTOMER_EVENTS[name].says }),
    example: t.string({ resolve: (name) => JSON.stringify(CUSTOMER_EVENTS[name].example) }),
  }),
});

builder.queryFields((t) => ({
  webhookEventTypes: t.field({
    nullable: true,
    type: [WebhookEventType],
    authScopes: { account: 'read' },
    resolve: () => CUSTOMER_EVENT_TYPES,
  }),
  webhookEvents: t.field({
    nullable: true,
    type: [WebhookEvent],
    authScopes: { key: 'read', session: 'webhooks' },
    args: { after: t.arg.id(), limit: t.arg.int({ required: true, defaultValue: MAX_EVENTS }) },
    async resolve(_, { after, limit }, ctx) {
      if (limit < 1 || limit > MAX_EVENTS) throw fail('limit_invalid', { field: 'limit' });
      const events = await eventsAfter(ctx.em, accountOf(ctx), after ?? undefined, limit);
      if (!events) throw fail('webhook_event_not_found', { field: 'after' });
      return events;
    },
  }),
}));
