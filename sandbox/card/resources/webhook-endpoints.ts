// Webhook endpoints: https://docs.stripe.com/api/webhook_endpoints. One exists from the start, set up as the product needs it; webhooks are delivered to this one
// only, since the product knows only its secret.
import Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId, randomCharacters } from '../ids.ts';
import { pageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, flag, list, metadata, needed, text, webUrl } from '../shape.ts';
import { rowOf } from '../state.ts';

const FIRST = 'we_1SandboxEndpointOfEgress';
/** https://docs.stripe.com/webhooks: the most per account. */
const MAX_ENDPOINTS = 16;

const createInput = fieldsOf<Stripe.WebhookEndpointCreateParams>()({
  url: needed(webUrl),
  enabled_events: needed(list(text())),
  api_version: text(),
  description: text(5000, 'unset'),
  metadata,
});
const updateInput = fieldsOf<Stripe.WebhookEndpointUpdateParams>()({
  url: webUrl,
  enabled_events: list(text()),
  disabled: flag,
  description: text(5000, 'unset'),
  metadata,
});

export const webhookEndpointRoutes = [
  route('GET', '/v1/webhook_endpoints', fields(pageFields), ({ books, input }) => {
    const { [FIRST]: _, ...others } = books.state.webhookEndpoints;
    return pageOf('/v1/webhook_endpoints', [firstOf(books), ...Object.values(others)], input);
  }),
  route('POST', '/v1/webhook_endpoints', createInput, ({ books, input }) => {
    if (Object.keys(books.state.webhookEndpoints).length >= MAX_ENDPOINTS)
      throw invalid(`You have reached the maximum of ${MAX_ENDPOINTS} webhook endpoints.`);
    checkEvents(input.enabled_events);
    const made = endpoint(books, createId('we'), input.url, input.enabled_events);
    Object.assign(made, { api_version: input.api_version ?? null, created: books.now(), description: input.description || null });
    made.metadata = mergeMetadata({}, input.metadata ?? {});
    books.state.webhookEndpoints[made.id] = made;
    books.changed();
    // Only this answer contains the secret.
    return { ...made, secret: `whsec_${randomCharacters(32)}` };
  }),
  route('GET', '/v1/webhook_endpoints/:id', fields({}), ({ books, ids }) => find(books, ids['id'] ?? '')),
  route('POST', '/v1/webhook_endpoints/:id', updateInput, ({ books, ids, input }) => {
    const found = find(books, ids['id'] ?? '');
    if (input.enabled_events) checkEvents(input.enabled_events);
    if (input.url !== undefined) found.url = input.url;
    if (input.enabled_events) found.enabled_events = input.enabled_events;
    if (input.disabled !== undefined) found.status = input.disabled ? 'disabled' : 'enabled';
    if (input.description !== undefined) found.description = input.description || null;
    if (input.metadata !== undefined) found.metadata = mergeMetadata(found.metadata, input.metadata);
    books.state.webhookEndpoints[found.id] = found;
    books.changed();
    return found;
  }),
  route('DELETE', '/v1/webhook_endpoints/:id', fields({}), ({ books, ids }) => {
    const { id } = find(books, ids['id'] ?? '');
    if (id === FIRST) throw invalid('The sandbox keeps its first webhook endpoint.');
    delete books.state.webhookEndpoints[id];
    books.changed();
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

function checkEvents(events: readonly string[]): void {
  if (events.length === 0) throw invalid('You must pass at least one event.', 'parameter_missing', 'enabled_events');
  if (events.includes('*') && events.length > 1) throw invalid('`*` stands alone.', undefined, 'enabled_events');
}

function find(books: Books, id: string): Stripe.WebhookEndpoint {
  const found = id === FIRST ? firstOf(books) : rowOf(books.state.webhookEndpoints, id);
  if (!found) throw noSuch('webhook endpoint', id);
  return found;
}

const firstOf = (books: Books): Stripe.WebhookEndpoint =>
  rowOf(books.state.webhookEndpoints, FIRST) ?? endpoint(books, FIRST, books.webhookUrl(), ['*']);

const endpoint = (books: Books, id: string, url: string, events: string[]): Stripe.WebhookEndpoint => ({
  id,
  object: 'webhook_endpoint',
  api_version: Stripe.API_VERSION,
  application: null,
  created: 0,
  description: null,
  enabled_events: events,
  livemode: false,
  metadata: {},
  status: 'enabled',
  url,
});
