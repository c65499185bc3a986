import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { codeOf, failureOf } from '../../world.ts';
import { once } from '../../../../../subgraphs/accounts/billing/idempotency/services/idempotency.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { rowOf, rowsOf, setRows } from '../../../../kit/tables.ts';

let world: BillingWorld;
let ada: Person;
beforeAll(async () => {
  world = await startBilling();
  ada = await world.account('ada@example.com');
});
afterAll(() => world.close());

/** A request of Ada whose work goes on until the test ends it. */
function attempt(key: string, request: object = { amount: 1 }) {
  let started = () => {};
  const running = new Promise<void>((done) => (started = done));
  const decided = Promise.withResolvers<{ value: number; at: Date }>();
  let effect = '';
  const answer = once(world.as(ada.viewer), { operation: 'test', key, request }, (id) => {
    effect = id;
    started();
    return decided.promise;
  });
  answer.catch(() => {});
  return { running, answer, finish: decided.resolve, refuse: decided.reject, effect: () => effect };
}
const result = { value: 1, at: new Date('2026-01-15T12:00:00Z') };
const rows = (key: string) => rowsOf(world.query, 'accounts.idempotent_request', { key });

describe('one key', () => {
  test('is in flight until its work ends, then gives every repeat the stored answer', async () => {
    const first = attempt('key-in-flight');
    await first.running;
    expect(await failureOf(attempt('key-in-flight').answer)).toBe('idempotency_in_flight');
    expect(await failureOf(attempt('key-in-flight', { amount: 2 }).answer)).toBe('idempotency_conflict');
    first.finish(result);
    expect(await first.answer).toEqual(result);
    expect(await attempt('key-in-flight').answer).toEqual(result);
    expect(await failureOf(attempt('key-in-flight', { amount: 2 }).answer)).toBe('idempotency_conflict');
  });

  test('is free again after a refusal', async () => {
    const first = attempt('key-refused');
    await first.running;
    first.refuse(fail('offer_expired'));
    expect(await failureOf(first.answer)).toBe('offer_expired');
    const second = attempt('key-refused', { amount: 2 });
    await second.running;
    second.finish(result);
    expect(await second.answer).toEqual(result);
  });

  test('of an attempt that died is taken over after a minute, under the same effect, and the dead one cannot answer for it', async () => {
    const dead = attempt('key-of-the-dead');
    await dead.running;
    world.clock.advance(MINUTE + 1);
    const next = attempt('key-of-the-dead');
    await next.running;
    expect(next.effect()).toBe(dead.effect());
    expect(await failureOf(attempt('key-of-the-dead').answer)).toBe('idempotency_in_flight');
    dead.refuse(new Error('came back and failed'));
    await dead.answer.catch(() => {});
    next.finish(result);
    expect(await next.answer).toEqual(result);
    expect(await attempt('key-of-the-dead').answer).toEqual(result);
  });

  test('of two accounts are two keys', async () => {
    const ben = await world.account('ben@example.com');
    const mine = attempt('key-of-two-people');
    mine.finish(result);
    await mine.answer;
    const other = await once(world.as(ben.viewer), { operation: 'test', key: 'key-of-two-people', request: {} }, async () => ({
      value: 2,
    }));
    expect(other).toEqual({ value: 2 });
  });

  test('has 8 to 255 characters', async () => {
    for (const key of ['', 'short', 'x'.repeat(256)]) expect(await failureOf(attempt(key).answer)).toBe('parameter_invalid');
  });

  test('is forgotten after a day', async () => {
    const first = attempt('key-of-yesterday');
    first.finish(result);
    await first.answer;
    world.clock.advance(DAY - MINUTE);
    await world.platform.queue.runNow('accounts.sweep');
    expect(await rows('key-of-yesterday')).toHaveLength(1);
    world.clock.advance(2 * MINUTE);
    await world.platform.queue.runNow('accounts.sweep');
    expect(await rows('key-of-yesterday')).toHaveLength(0);
  });
});

describe('an order', () => {
  const place = (offer: string, key: string, selection = 'id status checkoutUrl placedAt') =>
    world.ask(ada.viewer, placeOrder(selection), {
      offer,
      key,
    });

  test('is answered to the byte as it was at first, although it has been paid since', async () => {
    const offer = world.offer(ada.id);
    const first = JSON.stringify(await place(offer, 'order-replayed'));
    expect(first).toContain('"status":"PENDING"');
    const row = await rowOf<{ id: string }>(world.query, 'accounts.customer_order', { idempotency_key: 'order-replayed' });
    await world.pay(row?.id ?? '');
    await world.settle();
    expect(JSON.stringify(await place(offer, 'order-replayed'))).toBe(first);
    expect(codeOf(await place(world.offer(ada.id), 'order-replayed'))).toBe('idempotency_conflict');
  });

  test('is the same one after its answer is forgotten', async () => {
    const offer = world.offer(ada.id);
    const first = await place(offer, 'order-of-yesterday', 'id');
    world.clock.advance(DAY + MINUTE);
    await world.platform.queue.runNow('accounts.sweep');
    expect(await place(offer, 'order-of-yesterday', 'id')).toEqual(first);
    expect(codeOf(await place(world.offer(ada.id), 'order-of-yesterday'))).toBe('idempotency_conflict');
  });

  test('is placed once by a hundred keys of ten calls each at once', { timeout: 120_000 }, async () => {
    const counted = async () =>
      Number((await rowsOf<{ n: string }>(world.query, 'accounts.customer_order', {}, { columns: 'count(*) as n' }))[0]?.n);
    const before = await counted();
    const sessions = world.sandbox.card.sessions().length;
    for (let batch = 0; batch < 34; batch++) {
      // An account may have three unpaid orders at once, so those before are cancelled.
      await setRows(world.query, 'accounts.customer_order', { status: 'CANCELLED' }, { status: 'PENDING' });
      const offers = Array.from({ length: 3 }, () => world.offer(ada.id));
      const answers = await Promise.all(
        offers.flatMap((offer, index) => Array.from({ length: 10 }, () => place(offer, `storm-${batch}-${index}`))),
      );
      const codes = new Set(answers.map(codeOf));
      codes.delete(undefined);
      codes.delete('idempotency_in_flight');
      expect([...codes]).toEqual([]);
    }
    expect((await counted()) - before).toBe(102);
    expect(world.sandbox.card.sessions().length - sessions).toBe(102);
  });
});
