// The operator sets the days of the renewal schedule.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { readConfig } from '../../../../../configuration.ts';
import { withDesk } from '../with-desk.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';

const { world } = await withDesk(
  startSubscriptions({ RENEWAL_RETRY_DAYS: '0,2', RENEWAL_GRACE_DAYS: '3', RENEWAL_REMOVAL_NOTICE_DAYS: '1' }),
);

test('a card is tried on the days that are configured, and what it pays for is removed when the configured grace is over', async () => {
  const ada = await world.account('ada@example.com');
  const { id } = await world.subscribe(ada);
  world.sandbox.card.behave((await world.row(id)).card_id ?? '', '4000000000000341');
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  await world.pass(DAY);
  expect(await world.row(id)).toMatchObject({ failures: 1 });
  await world.pass(DAY);
  expect(await world.row(id)).toMatchObject({ status: 'UNPAID', failures: 2 });
  const mail = (await world.mailed(ada.email)).find(({ subject }) => subject.startsWith('Suspended'));
  expect(mail?.text).toContain('attempt 2 of 2');
  expect(mail?.text).toContain('Pay within 3 days');
  await world.pass(3 * DAY);
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'UNPAID' });
});

test.each([
  [{ RENEWAL_RETRY_DAYS: '1,3' }, 'must begin with 0 and rise'],
  [{ RENEWAL_RETRY_DAYS: '0,3,3' }, 'must begin with 0 and rise'],
  [{ RENEWAL_RETRY_DAYS: 'soon' }, 'must be numbers of days, separated by commas'],
  [{ RENEWAL_GRACE_DAYS: '1' }, 'RENEWAL_REMOVAL_NOTICE_DAYS must be at most RENEWAL_GRACE_DAYS'],
  [{ RENEWAL_ASKED_DAYS: '28' }, 'RENEWAL_ASKED_DAYS must be at most 21'],
  [{ RENEWAL_REMINDER_DAYS: '1,3' }, 'must fall'],
  [{ RENEWAL_ASKED_DAYS: '3' }, 'RENEWAL_REMINDER_DAYS must be less than RENEWAL_ASKED_DAYS'],
])('days that make no sense stop the start: %o', (environment, sentence) => {
  expect(() => readConfig({ NODE_ENV: 'test', ...environment })).toThrow(sentence);
});
