import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { type IdPage, pageById } from '#platform/id-page.ts';
import { builder } from '../../builder.ts';
import { type WebhookAttempt as AttemptEntity, eventsOfAttempts, pageOfAttempts } from '../entities/webhook-attempt.ts';
import { type WebhookEndpoint as EndpointEntity, countWaiting, endpointOfOwner, endpointsOfAccount } from '../entities/webhook-endpoint.ts';
import {
  type WithSecret,
  addEndpoint,
  changeEndpoint,
  removeEndpoint,
  renewSecret,
  replayFrom,
  sendAgain,
  sendTest,
} from '../services/endpoints.ts';
import { WebhookEvent } from './webhook-event.ts';
import { ATTEMPT_ASKERS, OUTCOMES, DISABLED_BECAUSE } from '../domain/delivery.ts';

const MAX_WAITING_COUNTED = 1_000;

const WebhookDisabledBecause = builder.enumType('WebhookDisabledBecause', { values: DISABLED_BECAUSE });
const WebhookAsker = builder.enumType('WebhookAsker', { values: ATTEMPT_ASKERS });
const WebhookOutcome = builder.enumType('WebhookOutcome', { values: OUTCOMES });

const WebhookAttempt = builder.objectRef<AttemptEntity>('WebhookAttempt').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    askedBy: t.expose('askedBy', { type: WebhookAsker }),
    outcome: t.expose('outcome', { type: WebhookOutcome }),
    status: t.exposeInt('status', { nullable: true }),
    durationMs: t.exposeInt('durationMs'),
    said: t.exposeString('said'),
    event: t.loadable({
      type: WebhookEvent,
      load: async (ids: string[], { em }) => {
        const events = await eventsOfAttempts(em, ids);
        return ids.map((id) => events.find((event) => event.id === id) ?? fail('webhook_event_not_found'));
      },
      resolve: ({ eventId }) => eventId,
    }),
  }),
});

const WebhookAttemptPage = builder
  .objectRef<IdPage<AttemptEntity>>('WebhookAttemptPage')
  .implement({ fields: (t) => ({ items: t.expose('items', { type: [WebhookAttempt] }), next: t.exposeID('next', { nullable: true }) }) });

const WebhookEndpoint = builder.objectRef<EndpointEntity>('WebhookEndpoint').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.exposeString('url'),
    description: t.exposeString('description'),
    eventTypes: t.exposeStringList('eventTypes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    disabledBecause: t.expose('disabledBecause', { type: WebhookDisabledBecause, nullable: true }),
    previousSecretUntil: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ previousUntil }, _, { clock }) => (previousUntil && previousUntil > clock.now() ? previousUntil : null),
    }),
    failures: t.exposeInt('failures'),
    failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
    nextTryAt: t.expose('nextTryAt', { type: 'DateTime', nullable: true }),
    waiting: t.loadable({
      type: 'Int',
      load: async (ids: string[], { em }) => {
        const waiting = await countWaiting(em, ids, MAX_WAITING_COUNTED);
        return ids.map((id) => waiting.get(id) ?? 0);
      },
      resolve: ({ id }) => id,
    }),
    attempts: t.field({
      type: WebhookAttemptPage,
      args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id() },
      resolve: ({ id }, asked, { em }) => pageById(asked, (limit, after) => pageOfAttempts(em, id, limit, after)),
    }),
  }),
});

const WebhookEndpointWithSecret = builder.objectRef<WithSecret>('WebhookEndpointWithSecret').implement({
  fields: (t) => ({ endpoint: t.expose('endpoint', { type: WebhookEndpoint }), secret: t.exposeString('secret') }),
});

const WebhookEndpointInput = builder.inputType('WebhookEndpointInput', {
  fields: (t) => ({ url: t.string({ required: true }), description: t.string(), eventTypes: t.stringList() }),
});
const WebhookEndpointChangeInput = builder.inputType('WebhookEndpointChangeInput', {
  fields: (t) => ({ url: t.string(), description: t.string(), eventTypes: t.stringList(), enabled: t.boolean() }),
});

builder.queryFields((t) => ({
  webhookEndpoints: t.field({
    nullable: true,
    type: [WebhookEndpoint],
    authScopes: { key: 'read', session: 'webhooks' },
    resolve: (_, __, ctx) => endpointsOfAccount(ctx.em, accountOf(ctx)),
  }),
  webhookEndpoint: t.field({
    type: WebhookEndpoint,
    nullable: true,
    authScopes: { key: 'read', session: 'webhooks' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => endpointOfOwner(ctx.em, id, accountOf(ctx)),
  }),
}));

builder.mutationFields((t) => ({
  webhookEndpointAdd: t.field({
    type: WebhookEndpointWithSecret,
    authScopes: { account: 'webhooks' },
    args: { input: t.arg({ type: WebhookEndpointInput, required: true }) },
    resolve: (_, { input }, ctx) => addEndpoint(ctx, input),
  }),
  webhookEndpointChange: t.field({
    type: WebhookEndpoint,
    authScopes: { account: 'webhooks' },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: WebhookEndpointChangeInput, required: true }) },
    resolve: (_, { id, input }, ctx) => changeEndpoint(ctx, { ...input, id }),
  }),
  webhookEndpointRemove: t.field({
    type: WebhookEndpoint,
    authScopes: { account: 'webhooks' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => removeEndpoint(ctx, id),
  }),
  webhookEndpointRenewSecret: t.field({
    type: WebhookEndpointWithSecret,
    authScopes: { account: 'webhooks' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => renewSecret(ctx, id),
  }),
  webhookEndpointReplay: t.field({
    type: WebhookEndpoint,
    authScopes: { account: 'webhooks' },
    args: { id: t.arg.id({ required: true }), after: t.arg.id(), since: t.arg({ type: 'DateTime' }) },
    resolve(_, { id, after, since }, ctx) {
      if (after) return replayFrom(ctx, id, { after });
      if (since) return replayFrom(ctx, id, { since });
      throw fail('parameter_missing', { field: 'after' });
    },
  }),
  webhookEndpointSendAgain: t.field({
    type: WebhookEndpoint,
    authScopes: { account: 'webhooks' },
    args: { id: t.arg.id({ required: true }), eventId: t.arg.id({ required: true }) },
    resolve: (_, { id, eventId }, ctx) => sendAgain(ctx, id, eventId),
  }),
  webhookEndpointTest: t.field({
    type: WebhookEndpoint,
    authScopes: { account: 'webhooks' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => sendTest(ctx, id),
  }),
}));
