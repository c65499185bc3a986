// An abuse case from the complaint's mail to its end: who is asked, what is found and done, what the customer reads, and what is handed on.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { setRows } from '../../../kit/tables.ts';
import { codeOf, dataOf } from '../world.ts';
import { openDesk, staff, staffId, world } from '../support/desk.ts';

openDesk();

const FIELDS = `id state kind address happenedAt respondBy overdue closedAt openedBy accounts { id }
  entries { kind by accountId title lines { at text } } pack`;
interface Case {
  id: string;
  state: string;
  respondBy: string | null;
  overdue: boolean;
  accounts: { id: string }[];
  entries: { kind: string; by: string | null; accountId: string | null; title: string; lines: { text: string }[] }[];
  pack: string;
}
const OPEN = `mutation ($input: AbuseCaseOpenInput!) { supportAbuseCaseOpen(input: $input) { ${FIELDS} } }`;
const open = (input: object, by = staff) => world.ask(by, OPEN, { input });
const opened = async (more: object = {}) =>
  dataOf<Case>(await open({ reporter: 'abuse@isp.example', kind: 'SCANNING', complaint: 'You scan us.', ...more }), 'supportAbuseCaseOpen');
const read = async (id: string) =>
  dataOf<Case>(await world.ask(staff, `query ($id: ID!) { supportAbuseCase(id: $id) { ${FIELDS} } }`, { id }), 'supportAbuseCase');
const act = (name: 'Note' | 'Warn' | 'Close' | 'Reopen', args: Record<string, unknown>) => {
  const given = Object.keys(args);
  const types: Record<string, string> = { id: 'ID!', accountId: 'ID!', days: 'Int!' };
  return world.ask(
    staff,
    `mutation (${given.map((arg) => `$${arg}: ${types[arg] ?? 'String!'}`).join(', ')}) {
      supportAbuseCase${name}(${given.map((arg) => `${arg}: $${arg}`).join(', ')}) { ${FIELDS} } }`,
    args,
  );
};
const listed = async (isOpen: boolean) =>
  dataOf<{ id: string }[]>(
    await world.ask(staff, 'query ($open: Boolean!) { supportAbuseCases(open: $open) { id } }', { open: isOpen }),
    'supportAbuseCases',
  ).map(({ id }) => id);
const append = async (event: Parameters<typeof appendEvents>[1]) => {
  await appendEvents(world.context().em, event);
  await world.subgraph.reader.drain();
};
const found = (caseId: string, accountId: string) =>
  append({
    type: 'residential_plan.use_found',
    at: world.clock.now(),
    accountId,
    subject: 'plan_1',
    data: {
      caseId,
      title: 'Residential plan plan_1 used 192.0.2.10',
      lines: [{ at: world.clock.now().toISOString(), text: 'to a.example' }],
    },
  });

test('a case asks the sellers who used the address; what they find is evidence, links the account, and cannot be changed', async () => {
  const { id: ada } = await world.account('ada@example.com');
  const happenedAt = world.clock.now().toISOString();
  const { id } = await opened({ address: ' 192.0.2.10 ', happenedAt, minutes: 5 });
  const asked = await world.events(id, 'abuse_case.use_asked');
  expect(asked.map(({ data }) => data)).toEqual([{ address: '192.0.2.10', at: happenedAt, minutes: 5 }]);
  await found(id, ada);
  await found('abuse_none', ada);
  const now = await read(id);
  expect(now).toMatchObject({ state: 'OPEN', accounts: [{ id: ada }], openedBy: staffId });
  expect(now.entries).toEqual([
    expect.objectContaining({ kind: 'USE', by: null, accountId: ada, lines: [expect.objectContaining({ text: 'to a.example' })] }),
  ]);
  for (const words of ['You scan us.', '192.0.2.10', ada, 'to a.example', 'abuse@isp.example']) expect(now.pack).toContain(words);
  await expect(setRows(world.query, 'accounts.abuse_entry', { title: 'nothing' })).rejects.toThrow('append-only');
});

test('a customer is warned with a day to answer by, and the case waits; it is late when nobody answers, and closes with what came of it', async () => {
  const bob = await world.account('bob@example.com');
  const { id } = await opened();
  expect(await world.events(id)).toEqual([]);
  const warned = dataOf<Case>(
    await act('Warn', { id, accountId: bob.id, message: 'Port 22 was scanned.', days: 3 }),
    'supportAbuseCaseWarn',
  );
  expect(warned).toMatchObject({ state: 'WAITING', overdue: false, accounts: [{ id: bob.id }] });
  const [mail] = await world.mailed('bob@example.com');
  expect(mail?.text).toContain('Port 22 was scanned.');
  expect(mail?.text).toContain(id);
  world.clock.advance(2 * DAY);
  const later = dataOf<Case>(await act('Warn', { id, accountId: bob.id, message: 'And port 23.', days: 30 }), 'supportAbuseCaseWarn');
  expect(later.respondBy).toBe(warned.respondBy);
  world.clock.advance(2 * DAY);
  expect((await read(id)).overdue).toBe(true);
  expect(await listed(true)).toContain(id);
  const closed = dataOf<Case>(await act('Close', { id, outcome: 'No answer.' }), 'supportAbuseCaseClose');
  expect(closed).toMatchObject({
    state: 'CLOSED',
    overdue: false,
    entries: expect.arrayContaining([expect.objectContaining({ kind: 'STATE', by: staffId })]),
  });
  expect([await listed(true), await listed(false)].map((ids) => ids.includes(id))).toEqual([false, true]);
  expect(codeOf(await act('Close', { id, outcome: 'Again.' }))).toBe('action_not_allowed');
  expect(codeOf(await act('Warn', { id, accountId: bob.id, message: 'More.', days: 3 }))).toBe('action_not_allowed');
  expect(dataOf<Case>(await act('Reopen', { id, reason: 'It goes on.' }), 'supportAbuseCaseReopen').state).toBe('OPEN');
  expect(codeOf(await act('Reopen', { id, reason: 'Once more.' }))).toBe('action_not_allowed');
});

test('what is done to an account stands in the open cases about it; what its owner does does not', async () => {
  const [cleo, dan] = [await world.account('cleo@example.com'), await world.account('dan@example.com')];
  const [one, over, others] = [await opened(), await opened(), await opened()];
  for (const { id } of [one, over]) await act('Note', { id, text: 'Theirs.', accountId: cleo.id });
  await act('Note', { id: others.id, text: 'Theirs.', accountId: dan.id });
  await act('Close', { id: over.id, outcome: 'Nothing.' });
  const at = world.clock.now();
  const reset = { type: 'residential_plan.reset' as const, at, accountId: cleo.id, subject: 'plan_1' };
  await append({ ...reset, data: { planId: 'plan_1', credentialEpoch: 2 } });
  await append({ ...reset, data: { planId: 'plan_1', credentialEpoch: 3, title: 'Premium', reason: 'A scan.', by: staffId } });
  await world.ask(staff, 'mutation ($id: ID!) { supportAccountSuspend(accountId: $id, reason: "A scan.") { id } }', { id: cleo.id });
  await world.subgraph.reader.drain();
  const deedsOf = async ({ id }: Case) => (await read(id)).entries.filter(({ kind }) => kind === 'DEED').map(({ title }) => title);
  expect(await deedsOf(one)).toEqual(['Its proxy password was reset (plan_1): A scan.', 'The account is suspended: A scan.']);
  expect(await deedsOf(over)).toEqual([]);
  expect(await deedsOf(others)).toEqual([]);
});

test('what is no complaint is refused, and it is for staff, and not about themselves', async () => {
  const eve = await world.account('eve@example.com');
  const { id } = await opened();
  const happenedAt = world.clock.now().toISOString();
  const complaint = { reporter: 'x', kind: 'SPAM' };
  for (const more of [{ reporter: ' ' }, { address: '192.0.2.1' }, { happenedAt }, { address: '192.0.2.1', happenedAt, minutes: 0 }])
    expect(codeOf(await open({ ...complaint, ...more }))).toBe('parameter_invalid');
  expect(codeOf(await open(complaint, eve.viewer))).toBe('forbidden');
  expect(codeOf(await act('Note', { id, text: ' ' }))).toBe('parameter_invalid');
  expect(codeOf(await act('Note', { id, text: 'x', accountId: 'acct_none' }))).toBe('account_not_found');
  expect(codeOf(await act('Note', { id: 'abuse_none', text: 'x' }))).toBe('abuse_case_not_found');
  expect(codeOf(await act('Warn', { id, accountId: staffId, message: 'x', days: 3 }))).toBe('own_account_refused');
  expect(codeOf(await act('Warn', { id, accountId: eve.id, message: 'x', days: 31 }))).toBe('parameter_invalid');
});
