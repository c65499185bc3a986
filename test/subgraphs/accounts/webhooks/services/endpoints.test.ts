import { afterAll, beforeAll, expect, test } from 'vitest';
import { endPartsOf } from '../../../../../subgraphs/accounts/closers.ts';
import { keyOf } from '../../../../kit/platform.ts';
import { rowsOf } from '../../../../kit/tables.ts';
import { codeOf } from '../../world.ts';
import { ADD, type WebhooksWorld, paused, startWebhooks } from '../world.ts';

let world: WebhooksWorld;
beforeAll(async () => {
  world = await startWebhooks();
});
afterAll(() => world.close());

test.each([
  ['not an address', { url: 'hooks.example' }],
  ['another scheme', { url: 'ftp://hooks.example/' }],
  ['a password in the address', { url: 'https://ada:secret@hooks.example/' }],
  ['a type that is not sent', { url: 'https://hooks.example/', eventTypes: ['account.created'] }],
  ['a description without an end', { url: 'https://hooks.example/', description: 'x'.repeat(201) }],
])('%s is refused', async (_, input) => {
  const { viewer } = await world.account(`${Math.random()}@example.com`);
  expect(codeOf(await world.ask(viewer, ADD, { input }))).toBe('parameter_invalid');
});

test('an account has ten end points at most, each with a secret that is shown once and stored sealed', async () => {
  const { viewer } = await world.account('ada@example.com');
  const secrets: string[] = [];
  for (let count = 0; count < 10; count++) secrets.push((await world.endpoint(viewer, `https://hooks.example/${count}`)).secret);
  expect(new Set(secrets).size).toBe(10);
  for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  expect(codeOf(await world.ask(viewer, ADD, { input: { url: 'https://hooks.example/11' } }))).toBe('too_many_webhooks');
  expect(JSON.stringify(await rowsOf(world.query, 'accounts.webhook_endpoint'))).not.toContain(secrets[0]?.slice(6));
});

test('a key reads with the scope read, and changes with the scope webhooks alone', async () => {
  const { id, viewer } = await world.account('bob@example.com');
  const endpoint = await world.endpoint(viewer, 'https://hooks.example/');
  const [reader, manager] = [keyOf(id, ['read', 'generate', 'servers', 'billing']), keyOf(id, ['webhooks'])];
  const list = '{ webhookEndpoints { id url } }';
  const remove = 'mutation ($id: ID!) { webhookEndpointRemove(id: $id) { id } }';
  expect(await world.ask(reader, list)).toEqual({ data: { webhookEndpoints: [{ id: endpoint.id, url: 'https://hooks.example/' }] } });
  expect(codeOf(await world.ask(reader, ADD, { input: { url: 'https://hooks.example/' } }))).toBe('forbidden');
  expect(codeOf(await world.ask(reader, remove, { id: endpoint.id }))).toBe('forbidden');
  expect(codeOf(await world.ask(manager, list))).toBe('forbidden');
  expect(await world.ask(manager, remove, { id: endpoint.id })).toEqual({ data: { webhookEndpointRemove: { id: endpoint.id } } });
});

test("another account's end point and events are not found", async () => {
  const [owner, other] = [await world.account('cat@example.com'), await world.account('dan@example.com')];
  const receiver = await world.receiver();
  const theirs = await world.endpoint(owner.viewer, receiver.url);
  const own = await world.endpoint(other.viewer, receiver.url);
  await world.tell(paused(owner.id, 'plan_a'));
  const event = receiver.heard[0]?.id;
  const act = (text: string) => world.ask(other.viewer, `mutation { ${text} { id } }`);
  expect(await world.ask(other.viewer, `{ webhookEndpoint(id: "${theirs.id}") { id } }`)).toEqual({ data: { webhookEndpoint: null } });
  for (const text of [
    `webhookEndpointChange(id: "${theirs.id}", input: { url: "https://thief.example/" })`,
    `webhookEndpointRemove(id: "${theirs.id}")`,
    `webhookEndpointTest(id: "${theirs.id}")`,
    `webhookEndpointReplay(id: "${theirs.id}", since: "2020-01-01T00:00:00Z")`,
  ])
    expect(codeOf(await act(text))).toBe('webhook_not_found');
  expect(codeOf(await act(`webhookEndpointSendAgain(id: "${own.id}", eventId: "${event}")`))).toBe('webhook_event_not_found');
  expect(codeOf(await act(`webhookEndpointReplay(id: "${own.id}", after: "${event}")`))).toBe('webhook_event_not_found');
  expect(codeOf(await world.ask(other.viewer, `{ webhookEvents(after: "${event}") { id } }`))).toBe('webhook_event_not_found');
});

test('what an owner does is in the activity of the account, and ends with it', async () => {
  const { id, viewer } = await world.account('eve@example.com');
  const endpoint = await world.endpoint(viewer, 'https://hooks.example/');
  const change =
    'mutation ($id: ID!, $input: WebhookEndpointChangeInput!) { webhookEndpointChange(id: $id, input: $input) { disabledBecause } }';
  await world.must(viewer, change, { id: endpoint.id, input: { description: 'Billing' } });
  expect(await world.must(viewer, change, { id: endpoint.id, input: { enabled: false } })).toEqual({
    webhookEndpointChange: { disabledBecause: 'OWNER' },
  });
  await world.must(viewer, change, { id: endpoint.id, input: { enabled: true } });
  expect((await world.events(endpoint.id)).map(({ type }) => type)).toEqual(
    ['added', 'changed', 'disabled', 'enabled'].map((verb) => `webhook_endpoint.${verb}`),
  );
  await endPartsOf(world.context(), id);
  expect(await rowsOf(world.query, 'accounts.webhook_endpoint', { account_id: id })).toEqual([]);
});
