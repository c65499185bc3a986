import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, after } from '#platform/clock.ts';
import { MAX_ATTEMPTS, nextTryAt } from '../../../../../subgraphs/accounts/webhooks/domain/delivery.ts';
import { claimEndpoint } from '../../../../../subgraphs/accounts/webhooks/entities/webhook-endpoint.ts';
import { dataOf } from '../../world.ts';
import { isSigned } from '../receiver.ts';
import { type WebhooksWorld, paused, startWebhooks } from '../world.ts';

let world: WebhooksWorld;
beforeAll(async () => {
  world = await startWebhooks();
});
afterAll(() => world.close());

test('what happens to an account is sent once, signed, in order, to that account alone', async () => {
  const [ada, bob] = [await world.account('ada@example.com'), await world.account('bob@example.com')];
  const [hers, his] = [await world.receiver(), await world.receiver()];
  const { secret } = await world.endpoint(ada.viewer, hers.url);
  await world.endpoint(bob.viewer, his.url);
  await world.tell(...Array.from({ length: 20 }, (_, index) => paused(ada.id, `plan_${index}`)));
  expect(hers.heard.map(({ data }) => data['product_id'])).toEqual(Array.from({ length: 20 }, (_, index) => `plan_${index}`));
  expect(new Set(hers.heard.map(({ id }) => id)).size).toBe(20);
  expect(JSON.parse(hers.heard[0]?.body ?? '')).toEqual({
    type: 'residential_plan.paused',
    timestamp: world.clock.now().toISOString(),
    data: { product_id: 'plan_0' },
  });
  for (const { headers, body } of hers.requests) {
    expect(isSigned(headers, body, secret)).toBe(true);
    expect(isSigned(headers, `${body} `, secret)).toBe(false);
    expect(headers['content-type']).toBe('application/json');
  }
  expect(his.requests).toEqual([]);
});

test('one that fails gets the same event again after growing waits, and what comes after it only then', async () => {
  const { id, viewer } = await world.account('cat@example.com');
  const receiver = await world.receiver();
  receiver.behave(() => 500);
  const endpoint = await world.endpoint(viewer, receiver.url);
  await world.tell(paused(id, 'plan_a'), paused(id, 'plan_b'));
  expect(receiver.requests).toHaveLength(1);
  expect(await world.state(viewer, endpoint.id)).toMatchObject({
    failures: 1,
    failingSince: world.clock.now().toISOString(),
    nextTryAt: after(world.clock.now(), MINUTE).toISOString(),
    waiting: 2,
    attempts: { items: [{ outcome: 'REFUSED', status: 500, said: 'as you say' }] },
  });
  world.clock.advance(59 * SECOND);
  await world.sweep();
  expect(receiver.requests).toHaveLength(1);
  world.clock.advance(SECOND);
  await world.sweep();
  expect(receiver.requests).toHaveLength(2);
  receiver.behave(() => 200);
  world.clock.advance(5 * MINUTE);
  await world.sweep();
  expect(receiver.heard.map(({ data }) => data['product_id'])).toEqual(['plan_a', 'plan_b']);
  expect(new Set(receiver.requests.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await world.state(viewer, endpoint.id)).toMatchObject({ failures: 0, failingSince: null, nextTryAt: null, waiting: 0 });
});

test('after three days of failures it is disabled with a mail; enabled again it gets all that it has missed', async () => {
  const { id, viewer, email } = await world.account('dan@example.com');
  const receiver = await world.receiver();
  receiver.behave(() => 503);
  const endpoint = await world.endpoint(viewer, receiver.url);
  const began = world.clock.now().getTime();
  await world.tell(paused(id, 'plan_a'));
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const { nextTryAt: next } = await world.state(viewer, endpoint.id);
    world.clock.set(next ?? '');
    await world.sweep();
  }
  expect(receiver.requests).toHaveLength(MAX_ATTEMPTS);
  expect(Math.round((world.clock.now().getTime() - began) / DAY)).toBe(3);
  expect(await world.state(viewer, endpoint.id)).toMatchObject({ disabledBecause: 'FAILING', nextTryAt: null, waiting: 1 });
  const mails = await world.mailed(email);
  expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('no longer sends events to'));

  await world.tell(paused(id, 'plan_b'));
  expect(receiver.requests).toHaveLength(MAX_ATTEMPTS);
  receiver.behave(() => 204);
  await world.must(viewer, 'mutation ($id: ID!) { webhookEndpointChange(id: $id, input: { enabled: true }) { id } }', { id: endpoint.id });
  await world.settle();
  expect(receiver.heard.map(({ data }) => data['product_id'])).toEqual(['plan_a', 'plan_b']);
});

test('one that answers 410 is disabled at once, and a redirect is followed nowhere', async () => {
  const { id, viewer } = await world.account('eve@example.com');
  const [gone, moved, elsewhere] = [await world.receiver(), await world.receiver(), await world.receiver()];
  gone.behave(() => 410);
  moved.behave(() => ({ status: 302, headers: { location: elsewhere.url } }));
  const [first, second] = [await world.endpoint(viewer, gone.url), await world.endpoint(viewer, moved.url)];
  await world.tell(paused(id, 'plan_a'));
  expect(await world.state(viewer, first.id)).toMatchObject({ disabledBecause: 'GONE', attempts: { items: [{ status: 410 }] } });
  expect(await world.state(viewer, second.id)).toMatchObject({ failures: 1, attempts: { items: [{ outcome: 'REFUSED', status: 302 }] } });
  expect(elsewhere.requests).toEqual([]);
});

test('a receiver that lies is no more than one that fails: hung up, no HTTP, a body without an end', async () => {
  const { id, viewer } = await world.account('fay@example.com');
  const receiver = await world.receiver();
  const tricks = ['hang_up', 'garbage', 'endless'] as const;
  receiver.behave(({ count }) => tricks[count] ?? 200);
  const endpoint = await world.endpoint(viewer, receiver.url);
  await world.tell(paused(id, 'plan_a'));
  world.clock.advance(HOUR);
  await world.sweep();
  world.clock.advance(HOUR);
  await world.sweep();
  await world.tell(paused(id, 'plan_b'));
  const { attempts } = await world.state(viewer, endpoint.id);
  // A delivery that the receiver has acknowledged stays acknowledged, whatever it answers afterwards.
  expect(attempts.items.map(({ outcome }) => outcome).toReversed()).toEqual(['NO_ANSWER', 'NO_ANSWER', 'DELIVERED', 'DELIVERED']);
  expect(receiver.heard.map(({ data }) => data['product_id'])).toEqual(['plan_a', 'plan_b']);
});

test.each([
  ['for how long', () => '7200'],
  ['when', (now: Date) => after(now, 2 * HOUR).toUTCString()],
])('Retry-After of a receiver that is busy is kept to, up to a day: it says %s', async (says, retryAfter) => {
  const { id, viewer } = await world.account(`gil-${says.length}@example.com`);
  const receiver = await world.receiver();
  receiver.behave(() => ({ status: 429, headers: { 'retry-after': retryAfter(world.clock.now()) } }));
  const endpoint = await world.endpoint(viewer, receiver.url);
  await world.tell(paused(id, 'plan_a'));
  expect((await world.state(viewer, endpoint.id)).nextTryAt).toBe(after(world.clock.now(), 2 * HOUR).toISOString());
  expect(nextTryAt(1, world.clock.now(), 40 * DAY)).toEqual(after(world.clock.now(), DAY));
});

test('what another process delivers is left to it, until it has been silent for a minute', async () => {
  const { id, viewer } = await world.account('hal@example.com');
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(viewer, receiver.url);
  const now = world.clock.now();
  await claimEndpoint(world.context().em, { id: endpoint.id, claim: 'of one that dies', now, until: after(now, MINUTE) });
  await world.tell(paused(id, 'plan_a'));
  await world.sweep();
  expect(receiver.requests).toEqual([]);
  world.clock.advance(MINUTE);
  await world.sweep();
  expect(receiver.heard).toHaveLength(1);
});

test('an owner sends one again, tests, and goes back to an event or a time', async () => {
  const { id, viewer } = await world.account('ida@example.com');
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(viewer, receiver.url, { eventTypes: ['residential_plan.paused', 'residential_plan.reset'] });
  await world.tell(paused(id, 'plan_a'), paused(id, 'plan_b'));
  world.clock.advance(HOUR);
  const later = world.clock.now();
  await world.tell(paused(id, 'plan_c'));
  const [first] = receiver.heard;
  const seen = () => receiver.heard.splice(0).map(({ type, data }) => data['product_id'] ?? type);
  expect(seen()).toEqual(['plan_a', 'plan_b', 'plan_c']);

  const act = async (text: string) => {
    await world.must(viewer, `mutation ($id: ID!) { ${text} { id } }`, { id: endpoint.id });
    await world.settle();
    return seen();
  };
  expect(await act(`webhookEndpointSendAgain(id: $id, eventId: "${first?.id}")`)).toEqual(['plan_a']);
  expect(await act('webhookEndpointTest(id: $id)')).toEqual(['webhook.test']);
  expect(await act(`webhookEndpointReplay(id: $id, after: "${first?.id}")`)).toEqual(['plan_b', 'plan_c']);
  expect(await act(`webhookEndpointReplay(id: $id, since: "${later.toISOString()}")`)).toEqual(['plan_c']);
  const { attempts } = await world.state(viewer, endpoint.id);
  expect(attempts.items.filter(({ askedBy }) => askedBy === 'OWNER')).toHaveLength(2);

  const events = dataOf<{ id: string; type: string }[]>(
    await world.ask(viewer, 'query ($after: ID) { webhookEvents(after: $after) { id type } }', { after: first?.id }),
    'webhookEvents',
  );
  expect(events).toHaveLength(2);
});

test('a new secret signs beside the old one for a day, and alone from then on', async () => {
  const { id, viewer } = await world.account('jon@example.com');
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(viewer, receiver.url);
  const renewed = await world.must<{ webhookEndpointRenewSecret: { secret: string } }>(
    viewer,
    'mutation ($id: ID!) { webhookEndpointRenewSecret(id: $id) { secret } }',
    { id: endpoint.id },
  );
  const fresh = renewed.webhookEndpointRenewSecret.secret;
  expect(fresh).not.toBe(endpoint.secret);
  await world.tell(paused(id, 'plan_a'));
  world.clock.advance(DAY);
  await world.tell(paused(id, 'plan_b'));
  const checked = receiver.requests.map(({ headers, body }) => [endpoint.secret, fresh].map((secret) => isSigned(headers, body, secret)));
  expect(checked).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('events are forgotten after thirty days, with what was tried', async () => {
  const { id, viewer } = await world.account('kim@example.com');
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(viewer, receiver.url);
  await world.tell(paused(id, 'plan_a'));
  world.clock.advance(31 * DAY);
  await world.platform.queue.runNow('accounts.sweep');
  expect((await world.state(viewer, endpoint.id)).attempts.items).toEqual([]);
});
