// An account's activity, and which of it is deleted after a time.
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { rowsOf, setRows } from '../../../kit/tables.ts';
import { codeOf, dataOf, PASSWORD, visitor } from '../world.ts';
import { openWaysIn, world, NEW, CHANGE_PASSWORD, ACTIVITY, logIn, recover } from './ways-in.ts';

openWaysIn();

test('the activity says who did what, when and from where, page by page', async () => {
  await world.account('ned@example.com');
  world.clock.advance(MINUTE);
  const { viewer, sessionId } = await logIn('ned@example.com', PASSWORD, { ...visitor(), address: '192.0.2.5', userAgent: 'curl/8' });
  world.clock.advance(MINUTE);
  await world.ask(viewer, CHANGE_PASSWORD, { current: PASSWORD, password: NEW });
  world.clock.advance(MINUTE);
  await recover('ned@example.com');
  await world.mailed('ned@example.com');
  const pageOf = async (first: number, after?: string) =>
    dataOf<{ activity: { items: { type: string }[]; next: string | null } }>(await world.ask(viewer, ACTIVITY, { first, after }), 'me')
      .activity;
  const whole = await pageOf(100);
  expect(whole.items.map(({ type }) => type)).toEqual([
    'account.recovery_asked',
    'account.password_changed',
    'session.started',
    'account.created',
  ]);
  expect(whole.items[2]).toEqual({
    type: 'session.started',
    actor: 'OWNER',
    address: '192.0.2.5',
    device: 'curl',
    subject: sessionId,
    details: [{ name: 'device', value: 'curl' }],
  });
  expect(whole.next).toBeNull();
  const first = await pageOf(3);
  const second = await pageOf(3, first.next ?? '');
  expect([...first.items, ...second.items]).toEqual(whole.items);
  expect(second.next).toBeNull();
  expect(codeOf(await world.ask(viewer, ACTIVITY, { first: 101 }))).toBe('limit_invalid');
  await expect(setRows(world.query, 'accounts.activity', { type: 'nothing' })).rejects.toThrow('append-only');
});

test('a reset by support is in the activity as theirs, and the owner is told why by mail; of an own one nobody writes', async () => {
  const { id, viewer } = await world.account('nora@example.com');
  const words = { title: 'Premium', reason: 'It was found in public.', by: 'acct_staff' };
  const resetOf = (planId: string, credentialEpoch: number, more: object = {}) =>
    appendEvents(world.context().em, {
      type: 'residential_plan.reset',
      at: world.clock.now(),
      accountId: id,
      subject: planId,
      data: { planId, credentialEpoch, ...more },
    });
  await resetOf('plan_1', 2, words);
  await world.subgraph.reader.drain();
  await resetOf('plan_1', 3);
  await world.subgraph.reader.drain();
  const { items } = dataOf<{ activity: { items: { actor: string; type: string; details: object[] }[] } }>(
    await world.ask(viewer, ACTIVITY, { first: 10 }),
    'me',
  ).activity;
  const resets = items.filter(({ type }) => type === 'residential_plan.reset');
  expect(resets.map(({ actor }) => actor)).toEqual(['OWNER', 'SUPPORT']);
  expect(resets[1]?.details).toContainEqual({ name: 'by', value: 'acct_staff' });
  const mails = (await world.mailed('nora@example.com')).filter(({ subject }) => subject.startsWith('New proxy password'));
  expect(mails).toEqual([expect.objectContaining({ subject: 'New proxy password: Premium', text: expect.stringContaining(words.reason) })]);
});

test('what the owner does on a plan is in the activity too', async () => {
  const { id, viewer } = await world.account('nia@example.com');
  await appendEvents(world.context().em, {
    type: 'residential_plan.reset',
    at: world.clock.now(),
    accountId: id,
    subject: 'plan_1',
    data: { planId: 'plan_1', credentialEpoch: 2 },
  });
  const changed = { type: 'static_plan.credentials_changed' as const, at: world.clock.now(), accountId: id, subject: 'splan_1' };
  await appendEvents(world.context().em, changed);
  await world.subgraph.reader.drain();
  const { items } = dataOf<{ activity: { items: object[] } }>(await world.ask(viewer, ACTIVITY, { first: 10 }), 'me').activity;
  expect(items).toContainEqual(
    expect.objectContaining({ type: 'static_plan.credentials_changed', actor: 'OWNER', subject: 'splan_1', details: [] }),
  );
  expect(items).toContainEqual(
    expect.objectContaining({
      type: 'residential_plan.reset',
      actor: 'OWNER',
      subject: 'plan_1',
      details: [
        { name: 'planId', value: 'plan_1' },
        { name: 'credentialEpoch', value: '2' },
      ],
    }),
  );
});

test('what is over is forgotten in time: sessions at once, links after 30 days, activity after a year', async () => {
  const { id } = await world.account('oda@example.com');
  await logIn('oda@example.com');
  await recover('oda@example.com');
  await world.mailed('oda@example.com');
  const count = async (table: string, where: Record<string, string> = { account_id: id }) =>
    (await rowsOf(world.query, `accounts.${table}`, where)).length;
  const left = async () => ({
    sessions: await count('session'),
    links: await count('recovery'),
    activity: await count('activity'),
    mails: await count('mail', { recipient: 'oda@example.com' }),
  });
  const sweepAfter = async (days: number) => {
    world.clock.advance(days * DAY);
    await world.platform.queue.runNow('accounts.sweep');
    return left();
  };
  expect(await left()).toEqual({ sessions: 1, links: 1, activity: 3, mails: 1 });
  expect(await sweepAfter(31)).toEqual({ sessions: 0, links: 0, activity: 3, mails: 1 });
  expect(await sweepAfter(60)).toEqual({ sessions: 0, links: 0, activity: 3, mails: 0 });
  expect(await sweepAfter(275)).toEqual({ sessions: 0, links: 0, activity: 0, mails: 0 });
});
