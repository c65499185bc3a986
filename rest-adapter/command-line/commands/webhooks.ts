import type { CallOptions, EgressClient, Webhook } from '../../client/index.ts';
import type { Command, Option } from '../command.ts';
import type { Given } from '../given.ts';
import { card, plain, table } from '../table.ts';

const TERMS: Readonly<Record<string, Option>> = {
  description: { value: 'TEXT', says: 'what it is for' },
  types: { value: 'A,B', says: 'the types of events that it is sent; empty: all' },
};

const termsOf = (given: Given) => {
  const [description, types] = [given.text('description'), given.list('types')];
  return { ...(description !== undefined && { description }), ...(types !== undefined && { event_types: types }) };
};

/** A command on one webhook that answers with it, and with a secret where it has a new one. */
const onWebhook = (
  name: string,
  says: string,
  ask: (
    client: EgressClient,
    webhook: { webhook_id: string },
    given: Given,
    options: CallOptions,
  ) => Promise<{ webhook: Webhook; secret?: string }>,
  more: Pick<Command, 'options' | 'operands'> = {},
): Command => ({
  name: `webhooks ${name}`,
  operands: ['WEBHOOK'],
  ...more,
  says,
  async run({ client, given, answer, terminal }) {
    const data = await ask(client, { webhook_id: given.text('WEBHOOK') ?? '' }, given, terminal);
    answer(data, [...card(data.webhook), ...(data.secret === undefined ? [] : ['', `secret, shown this once: ${data.secret}`])]);
  },
});

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: 'webhooks list',
    says: 'lists the end points that events are sent to',
    async run({ client, answer, terminal }) {
      const data = await client.listWebhooks({}, terminal);
      const rows = data.webhooks.map(({ webhook_id, state, waiting, url }) => [webhook_id, state, waiting, url]);
      answer(data, table(['WEBHOOK', 'STATE', 'WAITING', 'URL'], rows, 'There are no webhooks.'));
    },
  },
  onWebhook(
    'create',
    'makes an end point, and shows its secret once',
    (client, _webhook, given, options) => client.createWebhook({ url: given.needed('URL'), ...termsOf(given) }, options),
    { operands: ['URL'], options: TERMS },
  ),
  onWebhook('show', 'shows an end point and how it is doing', (client, webhook, _given, options) => client.getWebhook(webhook, options)),
  onWebhook(
    'change',
    'changes an end point',
    (client, webhook, given, options) => {
      const url = given.text('to');
      const enabled = given.has('enable') ? true : given.has('disable') ? false : undefined;
      const terms = { ...termsOf(given), ...(url !== undefined && { url }), ...(enabled !== undefined && { enabled }) };
      return client.changeWebhook({ ...webhook, ...terms }, options);
    },
    {
      options: {
        to: { value: 'URL', says: 'where it is now' },
        enable: { says: 'sends again' },
        disable: { says: 'sends nothing' },
        ...TERMS,
      },
    },
  ),
  onWebhook('secret', 'gives an end point a new secret', (client, webhook, _given, options) => client.renewWebhookSecret(webhook, options)),
  onWebhook('test', 'sends a test event', (client, webhook, _given, options) => client.testWebhook(webhook, options)),
  onWebhook(
    'replay',
    'sends again what has happened after an event, or since a time',
    (client, webhook, given, options) => {
      const [after, since] = [given.text('after'), given.text('since')];
      return client.replayWebhook({ ...webhook, ...(after !== undefined && { after }), ...(since !== undefined && { since }) }, options);
    },
    {
      options: { after: { value: 'EVENT', says: 'the last event not to send' }, since: { value: 'TIME', says: 'as 2026-01-15T12:00:00Z' } },
    },
  ),
  onWebhook(
    'resend',
    'sends one event again',
    (client, webhook, given, options) => client.resendWebhookEvent({ ...webhook, event_id: given.needed('EVENT') }, options),
    { operands: ['WEBHOOK', 'EVENT'] },
  ),
  {
    name: 'webhooks deliveries',
    operands: ['WEBHOOK'],
    options: { limit: { value: 'NUMBER', says: 'how many of the newest, up to 100; else 25' } },
    says: 'lists what was sent to an end point, and what it answered',
    async run({ client, given, answer, terminal }) {
      const data = await client.listWebhookDeliveries(
        { webhook_id: given.needed('WEBHOOK'), limit: given.number('limit') ?? 25 },
        terminal,
      );
      const rows = data.deliveries.map(({ at, type, outcome, status, duration_ms, event_id }) => [
        at,
        type,
        outcome,
        status,
        duration_ms,
        event_id,
      ]);
      answer(data, table(['AT', 'TYPE', 'OUTCOME', 'STATUS', 'MS', 'EVENT'], rows, 'Nothing was sent yet.'));
    },
  },
  {
    name: 'webhooks remove',
    operands: ['WEBHOOK'],
    says: 'removes an end point',
    async run({ client, given, answer, terminal }) {
      const data = await client.removeWebhook({ webhook_id: given.needed('WEBHOOK') }, terminal);
      answer(data, [plain(`${data.webhook_id} is removed.`)]);
    },
  },
];
