import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { type SeededAccount } from '../../../kit/seed.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { residentialTables } from '../tables.ts';

let stack: Stack;
let owner: SeededAccount;
let session: Viewer;
beforeAll(async () => {
  stack = await startStack();
  owner = await stack.seed.account();
  session = sessionOf(owner.id);
});
afterAll(() => stack?.close());

async function ask(query: string, variables: Record<string, unknown>, viewer = session) {
  const { gateway } = stack.server;
  const { data, errors } = await gateway.execute(gateway.prepare(query), { variables, viewer });
  return { data: data as Record<string, never> | null, codes: (errors ?? []).map(({ extensions }) => extensions['code']) };
}

const GENERATE = `query ($plan: ID!, $input: ProxyGenerateInput!) { batch: residentialProxies(planId: $plan, input: $input) { id count text } }`;
const FETCH = 'query ($id: ID!) { batch: residentialProxyBatch(id: $id) { id count text lines } }';
const LIST = `query ($plan: ID!, $first: Int!, $after: ID) { plan: residentialPlan(id: $plan) { batches(first: $first, after: $after) {
  id count country state city session sessionMinutes protocol apiKeyId outdated addressMadeAt } } }`;
const MAKE = 'mutation ($id: ID!) { made: proxyBatchMakeAddress(id: $id) { url batch { id addressMadeAt } } }';
const REVOKE = 'mutation ($id: ID!) { revoked: proxyBatchRevokeAddress(id: $id) { id addressMadeAt } }';
const RESET = 'mutation ($id: ID!) { residentialPlanResetAuthentication(id: $id) { id } }';

interface Batch {
  id: string;
  count: number;
  text: string;
}

async function generate(plan: string, over: Record<string, unknown> = {}, viewer = session): Promise<Batch> {
  const input = { targeting: { pool: 'US', state: 'New York' }, session: 'STICKY', quantity: 5, ...over };
  return (await ask(GENERATE, { plan, input }, viewer)).data?.['batch'] as unknown as Batch;
}
const makeAddress = async (id: string) => ((await ask(MAKE, { id })).data as unknown as { made: { url: string } }).made.url;
const read = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};
const useUp = (plan: string) => residentialTables(stack.database.query).useUp(plan);

describe('a batch', () => {
  test('is reproduced byte for byte, sticky or rotating, whatever was generated after it', async () => {
    const plan = await owner.residentialPlan();
    const sticky = await generate(plan.id, { sessionMinutes: 120, protocol: 'SOCKS5' });
    const rotating = await generate(plan.id, { session: 'ROTATING', quantity: 3 });
    await generate(plan.id, { quantity: 100 });
    for (const { id, count, text } of [sticky, rotating])
      expect((await ask(FETCH, { id })).data).toEqual({ batch: { id, count, text, lines: text.split('\n') } });
    expect((await ask(FETCH, { id: sticky.id }, keyOf(owner.id))).data).toMatchObject({ batch: { text: sticky.text } });
  });

  test('is in the list of its plan, newest first, page by page', async () => {
    const plan = await owner.residentialPlan();
    const made = [];
    for (const viewer of [session, keyOf(owner.id), session]) {
      stack.clock.advance(1000);
      made.unshift((await generate(plan.id, {}, viewer)).id);
    }
    const page = async (first: number, after?: string) =>
      ((await ask(LIST, { plan: plan.id, first, after })).data as unknown as { plan: { batches: { id: string }[] } }).plan.batches;
    expect((await page(2)).map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect((await page(2, made[1])).map(({ id }) => id)).toEqual(made.slice(2));
    expect((await page(3))[1]).toEqual({
      id: made[1],
      count: 5,
      country: 'us',
      state: 'new_york',
      city: null,
      session: 'STICKY',
      sessionMinutes: 60,
      protocol: 'HTTP',
      apiKeyId: 'key_test',
      outdated: null,
      addressMadeAt: null,
    });
    const other = await owner.residentialPlan();
    expect((await ask(LIST, { plan: other.id, first: 5, after: made[0] })).data).toEqual({ plan: { batches: [] } });
    expect((await ask(LIST, { plan: plan.id, first: 0 })).codes).toEqual(['parameter_invalid']);
  });

  test('is refused after a reset and after the plan is used up, and to everybody else', async () => {
    const plan = await owner.residentialPlan();
    const { id } = await generate(plan.id);
    await ask(RESET, { id: plan.id });
    expect((await ask(FETCH, { id })).codes).toEqual(['batch_outdated']);
    expect((await ask(MAKE, { id })).codes).toEqual(['batch_outdated']);
    const listed = (await ask(LIST, { plan: plan.id, first: 1 })).data as unknown as { plan: { batches: { outdated: string }[] } };
    expect(listed.plan.batches[0]?.outdated).toContain('reset');
    const { id: fresh } = await generate(plan.id);
    const stranger = sessionOf((await stack.seed.account()).id);
    for (const query of [FETCH, MAKE, REVOKE]) expect((await ask(query, { id: fresh }, stranger)).codes).toEqual(['batch_not_found']);
    await useUp(plan.id);
    expect((await ask(FETCH, { id: fresh })).codes).toEqual(['plan_expired']);
  });
});

describe('a download address', () => {
  test('gives the lines as text to anybody who has it, any number of times, and only its hash is stored', async () => {
    const plan = await owner.residentialPlan();
    const { id, text } = await generate(plan.id);
    const url = await makeAddress(id);
    expect(url).toMatch(/\/lists\/[\w-]{43}\.txt$/);
    for (let times = 0; times < 2; times++)
      expect(await read(url)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: `${text}\n` });
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.headers.get('content-length'), head.headers.get('cache-control')]).toEqual([
      String(Buffer.byteLength(text) + 1),
      'no-store',
    ]);
    const rows = await rowsOf(stack.database.query, 'residential.proxy_batch', { id });
    expect(JSON.stringify(rows)).not.toContain(url.slice(-47, -4));
  });

  test('stops working when it is revoked or another one is made', async () => {
    const plan = await owner.residentialPlan();
    const { id } = await generate(plan.id);
    const first = await makeAddress(id);
    const second = await makeAddress(id);
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).status).toBe(200);
    expect((await ask(REVOKE, { id })).data).toEqual({ revoked: { id, addressMadeAt: null } });
    expect(await read(second)).toMatchObject({ status: 404, text: expect.stringContaining('taken back') });
  });

  test('answers with a sentence when a reset or the end of the package ended it', async () => {
    const plan = await owner.residentialPlan();
    const url = await makeAddress((await generate(plan.id)).id);
    await ask(RESET, { id: plan.id });
    expect(await read(url)).toMatchObject({ status: 409, type: 'text/plain; charset=utf-8', text: expect.stringContaining('reset') });
    const fresh = await makeAddress((await generate(plan.id)).id);
    await useUp(plan.id);
    expect(await read(fresh)).toMatchObject({ status: 404, text: expect.stringContaining('used up') });
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });
});
