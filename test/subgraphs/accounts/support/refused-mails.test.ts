// A mail that the recipient's server refuses for good is listed at the desk, with the server's words and a way to send it again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, codeOf, dataOf, startAccounts } from '../world.ts';
import { jobRows } from '../../../kit/job-rows.ts';
import { setRows } from '../../../kit/tables.ts';
import { setFaults } from '../../../kit/faults.ts';

let world: AccountsWorld;
let staff: Viewer;
beforeAll(async () => {
  world = await startAccounts();
  ({ viewer: staff } = await world.account('support@egress.example', 'STAFF'));
});
afterAll(() => world.close());

const LIST = '{ supportMails { id recipient kind refusedAt reason } }';
const AGAIN = 'mutation ($id: ID!) { supportMailSendAgain(id: $id) { id recipient } }';
interface Refused {
  id: string;
  recipient: string;
}
const refused = async () => dataOf<Refused[]>(await world.ask(staff, LIST), 'supportMails');
const recover = (email: string) =>
  world
    .ask(staff, 'mutation ($email: String!) { accountRecover(email: $email) { email } }', { email })
    .then(() => world.platform.queue.drain());
const failedJobs = async () =>
  (await world.platform.metrics.jobs.get()).values
    .filter(({ labels }) => labels['job'] === 'accounts.mail-send' && labels['outcome'] === 'failed')
    .reduce((sum, { value }) => sum + value, 0);

test('a mail that is refused for good is tried once, and shown to support in the words of the server', async () => {
  await world.account('bounce@example.com');
  const before = await failedJobs();
  await recover('bounce@example.com');
  expect(await refused()).toMatchObject([
    { recipient: 'bounce@example.com', kind: 'recover', refusedAt: world.clock.now().toISOString(), reason: '550 No such mailbox here' },
  ]);
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY);
    await world.platform.queue.runNow('accounts.sweep');
    await world.platform.queue.drain();
  }
  expect(await failedJobs()).toBe(before);
  expect(await jobRows(world.query).unfinished('accounts.mail-send')).toEqual([]);
});

test('support sends it again, once, when its reader has a mailbox; and then it is in no list', async () => {
  const [mail] = await refused();
  const id = mail?.id ?? '';
  await setRows(world.query, 'accounts.mail', { recipient: 'landed@example.com' }, { id });
  expect(dataOf(await world.ask(staff, AGAIN, { id }), 'supportMailSendAgain')).toMatchObject({ id });
  expect(await world.mailed('landed@example.com')).toHaveLength(1);
  expect(await refused()).toEqual([]);
  expect(codeOf(await world.ask(staff, AGAIN, { id }))).toBe('mail_not_found');
});

test('a server that is busy refuses for a while only: nothing of it ends at the desk', async () => {
  await world.account('later@example.com');
  setFaults(world.sandbox.mail.faults, { reject: 1 });
  await recover('later@example.com');
  await world.sandbox.mail.waitFor({ to: 'later@example.com' });
  expect(await refused()).toEqual([]);
});
