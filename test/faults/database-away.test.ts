// PostgreSQL is unreachable or hangs: every caller gets a refusal in its own protocol, and nobody waits for ever.
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';
import { type Relay, startRelay } from '../kit/relay.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { sandboxTerms } from '#platform/sandbox-terms.ts';

let relay: Relay;
let database: TestDatabase;
let stack: Stack;
let authorization: string;
let cookie: string;

beforeAll(async () => {
  relay = await startRelay(inject('postgresUrl').replace(/^postgres(ql)?:/, 'http:'));
  database = await createTestDatabase();
  stack = await startStack({ databaseUrl: relay.through(database.url) });
  const owner = await stack.seed.account();
  ({ authorization } = await owner.apiKey());
  cookie = await owner.cookie();
});
afterAll(async () => {
  relay.cut();
  relay.mend();
  await stack.close();
  await relay.close();
  await database.drop();
});
afterEach(async () => {
  relay.mend();
  // Waits until the pool has a new connection; the test's own time limit ends it.
  while ((await fetch(`${stack.url}/health/ready`)).status !== 200);
});

const json = { 'content-type': 'application/json' };
const graphql = (headers: Record<string, string>, query: string, accept = 'application/json') =>
  fetch(`${stack.url}/graphql`, { method: 'POST', headers: { ...json, accept, ...headers }, body: JSON.stringify({ query }) });

const DOORS: Record<string, () => Promise<Response>> = {
  REST: () => fetch(`${stack.url}/v1/residential`, { headers: { authorization } }),
  'GraphQL by key': () => graphql({ authorization }, '{ me { id } }'),
  'GraphQL by session': () => graphql({ cookie, origin: stack.url }, '{ me { id } }'),
  'a sign-in': () =>
    fetch(`${stack.url}/auth/sign-in`, {
      method: 'POST',
      headers: { ...json, origin: stack.url },
      body: JSON.stringify({ email: 'somebody@customer.example', password: 'a password of theirs' }),
    }),
  'a list of lines': () => fetch(`${stack.url}/lists/${'a'.repeat(43)}.txt`),
  'a notice of the card processor': async () => {
    const { config, secrets } = stack.platform;
    const payload = JSON.stringify({
      id: 'evt_away',
      object: 'event',
      type: 'invoice.paid',
      data: { object: { id: 'in_1', object: 'invoice' } },
    });
    const timestamp = Math.floor(stack.clock.now().getTime() / 1_000);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, timestamp, secret: sandboxTerms(config, secrets).webhookSecret });
    return fetch(`${stack.url}/webhooks/card`, { method: 'POST', headers: { ...json, 'stripe-signature': signature }, body: payload });
  },
};

describe.each(['cut', 'hang'] as const)('while the line to the database is broken (%s)', (how) => {
  test('every route answers 503 with Retry-After, in time', async () => {
    relay[how]();
    const answers = await Promise.all(
      Object.entries(DOORS).map(async ([name, ask]) => {
        const answer = await ask();
        return [name, answer.status, answer.headers.get('retry-after'), (await answer.text()).includes('Something went wrong')];
      }),
    );
    expect(answers).toEqual(Object.keys(DOORS).map((name) => [name, 503, '1', false]));
  });
});

test('an anonymous query that needs the database gets a retry time', async () => {
  relay.cut();
  const answer = await graphql({ origin: stack.url }, '{ staticProducts { id available } }');
  expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'overloaded', retryable: true, retryAfterSeconds: 1 } }] });
  expect(answer.headers.get('retry-after')).toBe('1');
});

test('readiness is 503 with Retry-After while the database is unreachable, never 500', async () => {
  const ready = async () => {
    const answer = await fetch(`${stack.url}/health/ready`);
    return [
      answer.status,
      answer.headers.get('retry-after'),
      ((await answer.json()) as { checks: Record<string, boolean> }).checks,
    ] as const;
  };
  expect(await ready()).toMatchObject([200, null, { database: true, disk: true, jobs: true, events: true, queue: true }]);
  relay.hang();
  expect(await ready()).toMatchObject([503, '2', { database: false }]);
});
