// What the owner of a package is told by mail of its end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#platform/database.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { type AccountsWorld, startAccounts } from '../../world.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world?.close());

const AT = '2026-01-22T12:00:00.000Z';
const tell = async (accountId: string, type: 'residential_plan.ends_soon' | 'residential_plan.lapsed', bytes: string) => {
  const data = { planId: 'plan_1', title: 'Premium, 5 GB', validUntil: AT };
  const more = type === 'residential_plan.lapsed' ? { bytes } : { days: 7, leftBytes: bytes };
  const event = { type, at: world.clock.now(), accountId, subject: 'plan_1', data: { ...data, ...more } } as NewEvent;
  await inTransaction(world.context(), ({ em }) => appendEvents(em, event));
  await world.subgraph.reader.drain();
};

test('a package with data left is told of before its end, with the way to keep it', async () => {
  const { id } = await world.account('soon@example.com');
  await tell(id, 'residential_plan.ends_soon', '2500000000');
  const [mail, ...others] = await world.mailed('soon@example.com');
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Valid until 2026-01-22 12:00 UTC: Premium, 5 GB');
  expect(mail?.text).toContain('2.5 GB are left of it');
  expect(mail?.text).toContain('/residential/plan_1/top-up');
});

test('what has lapsed is told, unless nothing that counts was left', async () => {
  const { id } = await world.account('over@example.com');
  for (const bytes of ['0', '999999', '7250000000']) await tell(id, 'residential_plan.lapsed', bytes);
  const [mail, ...others] = await world.mailed('over@example.com');
  expect(others).toEqual([]);
  expect([mail?.subject, mail?.text]).toEqual(['No longer valid: Premium, 5 GB', expect.stringContaining('7.25 GB were left of it')]);
  await tell(id, 'residential_plan.ends_soon', '999999');
  expect(await world.mailed('over@example.com')).toHaveLength(1);
});

test('a plan that its limit has paused is told of once, and what an earlier release appended is not', async () => {
  const { id } = await world.account('paused@example.com');
  for (const more of [{ title: 'Premium, 5 GB', dailyLimitBytes: '2500000000' }, {}]) {
    const event: NewEvent<'residential_plan.paused'> = {
      type: 'residential_plan.paused',
      at: world.clock.now(),
      accountId: id,
      subject: 'plan_1',
      data: { planId: 'plan_1', ...more },
    };
    await inTransaction(world.context(), ({ em }) => appendEvents(em, event));
    await world.subgraph.reader.drain();
  }
  const [mail, ...others] = await world.mailed('paused@example.com');
  expect(others).toEqual([]);
  expect([mail?.subject, mail?.text]).toEqual(['Paused until 00:00 UTC: Premium, 5 GB', expect.stringContaining('daily limit of 2.5 GB')]);
  expect(mail?.text).toContain('/residential/plan_1?tab=settings');
});
