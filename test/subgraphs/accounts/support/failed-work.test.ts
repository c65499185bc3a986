// Failed jobs are listed at the desk with their errors, and a member of staff can have them tried again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, codeOf, dataOf, startAccounts } from '../world.ts';
import { jobRows } from '../../../kit/job-rows.ts';
import { addRow, rowOf } from '../../../kit/tables.ts';
import { hideTable } from '../../../kit/table-faults.ts';

let world: AccountsWorld;
let staff: Viewer;
beforeAll(async () => {
  world = await startAccounts();
  ({ viewer: staff } = await world.account('support@egress.example', 'STAFF'));
});
afterAll(() => world.close());

interface Failed {
  id: string;
  job: string;
  state: string;
  tries: number;
  error: string;
  given: string;
}
const JOBS = '{ supportAccountsFailedJobs { id job state tries error given failedAt nextTryAt } }';
const AGAIN = 'mutation ($id: ID!) { supportAccountsJobAgain(id: $id) { id job state } }';
const NOTICES = '{ supportLateNotices { id source type objectId tries error failedAt } }';
const NOTICE_AGAIN = 'mutation ($source: String!, $id: ID!) { supportNoticeAgain(source: $source, id: $id) { id tries } }';
const failed = async () => dataOf<Failed[]>(await world.ask(staff, JOBS), 'supportAccountsFailedJobs');
const notices = async () =>
  dataOf<{ id: string; tries: number; error: string | null }[]>(await world.ask(staff, NOTICES), 'supportLateNotices');
const queueFigure = async (line: string) =>
  (await world.platform.metrics.registry.metrics())
    .split('\n')
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length + 1);

/** Runs queued jobs and their retries until each is done or given up. */
async function exhaust() {
  do await world.platform.queue.drain();
  while ((await jobRows(world.query).hurry()) > 0);
}

test('a job that was given up is listed with its error and its tries, is tried again, and is done when its cause is mended', async () => {
  await world.account('ada@example.com');
  const mend = await hideTable(world.query, 'accounts.recovery');
  await world.ask(staff, 'mutation { accountRecover(email: "ada@example.com") { email } }');
  await exhaust();
  const [job] = await failed();
  expect(job).toMatchObject({ job: 'accounts.recovery-mail', state: 'GIVEN_UP', tries: 13, given: '{"email": "ada@example.com"}' });
  expect(job?.error).toContain('recovery');
  expect(await queueFigure('egress_job_queue_jobs{queue="accounts.recovery-mail",state="failed"}')).toBe('1');

  // The cause is not mended yet, so the job fails once more and is given up again.
  dataOf(await world.ask(staff, AGAIN, { id: job?.id }), 'supportAccountsJobAgain');
  await exhaust();
  expect(await failed()).toMatchObject([{ id: job?.id, state: 'GIVEN_UP', tries: 14 }]);

  await mend();
  dataOf(await world.ask(staff, AGAIN, { id: job?.id }), 'supportAccountsJobAgain');
  await exhaust();
  expect(await failed()).toEqual([]);
  expect(await world.mailed('ada@example.com')).not.toHaveLength(0);
  expect(await queueFigure('egress_job_queue_jobs{queue="accounts.recovery-mail",state="failed"}')).toBe('0');
  expect(codeOf(await world.ask(staff, AGAIN, { id: job?.id }))).toBe('job_not_found');
  expect(codeOf(await world.ask(staff, AGAIN, { id: 'none' }))).toBe('job_not_found');
});

test('a job that waits for its next try is listed as such, and need not wait', async () => {
  const mend = await hideTable(world.query, 'accounts.recovery');
  await world.account('grace@example.com');
  await world.ask(staff, 'mutation { accountRecover(email: "grace@example.com") { email } }');
  await world.platform.queue.drain();
  const [job] = await failed();
  expect(job).toMatchObject({ job: 'accounts.recovery-mail', state: 'RETRYING', tries: 1, nextTryAt: expect.any(String) });
  expect(await queueFigure('egress_job_queue_retries{queue="accounts.recovery-mail"}')).toBe('1');
  await mend();
  dataOf(await world.ask(staff, AGAIN, { id: job?.id }), 'supportAccountsJobAgain');
  await world.platform.queue.drain();
  expect(await failed()).toEqual([]);
});

test('what was done again is an act of staff', async () => {
  await world.subgraph.reader.drain();
  const acts = await world.ask(staff, '{ supportStaffActs { items { act } } }');
  expect(JSON.stringify(acts)).toContain('supportAccountsJobAgain');
});

test('a notice that could not be acted on says why and how often, and is acted on again', async () => {
  const at = world.clock.now();
  await addRow(world.query, 'accounts.inbox', {
    source: 'nobody',
    notice_id: 'evt_1',
    type: 'charge.moved',
    object_id: 'ch_1',
    received_at: at,
  });
  expect(await notices()).toEqual([]);
  world.clock.advance(3 * MINUTE);
  expect(await notices()).toMatchObject([{ id: 'evt_1', source: 'nobody', objectId: 'ch_1', tries: 0, error: null }]);

  dataOf(await world.ask(staff, NOTICE_AGAIN, { source: 'nobody', id: 'evt_1' }), 'supportNoticeAgain');
  await world.platform.queue.drain();
  expect(await notices()).toMatchObject([{ id: 'evt_1', tries: 1, error: 'Error: a notice of nobody, which is no payment method' }]);
  expect(codeOf(await world.ask(staff, NOTICE_AGAIN, { source: 'nobody', id: 'evt_2' }))).toBe('notice_not_found');
  expect(await rowOf(world.query, 'accounts.inbox', { notice_id: 'evt_1' })).toMatchObject({ processed_at: null });
});

test('a customer sees none of it', async () => {
  const { viewer } = await world.account('customer@example.com');
  for (const question of [JOBS, NOTICES]) expect(codeOf(await world.ask(viewer, question))).toBe('forbidden');
});
