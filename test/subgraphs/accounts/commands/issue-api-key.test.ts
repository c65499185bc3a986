// Support's commands as an operator runs them: as processes beside the platform. The activity names the member of staff who ran them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPILED } from '../../../kit/child.ts';
import { activityOf } from '../../../kit/tables.ts';
import { startAccounts } from '../world.ts';

let world: Awaited<ReturnType<typeof startAccounts>>;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const run = (command: string, ...words: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const { DATA_DIR } = world.platform.config;
    const env = {
      ...COMPILED,
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: world.platform.database.url,
      DATA_DIR,
    };
    execFile(process.execPath, [`${root}subgraphs/accounts/commands/${command}.ts`, ...words], { cwd: root, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out: out.trim(), err: err.trim() }),
    );
  });
const LINK = /to set up the second factor: http:\/\/localhost:\d+\/settings\/enrol\?token=[\w-]{43}$/;
const lastActOf = async (accountId: string) => (await activityOf(world.query, accountId)).at(-1);

test('the first member of staff appoints themselves, the next is appointed by one, and every act names who ran it', async () => {
  const ada = await world.account('ada@example.com');
  const bob = await world.account('bob@example.com');
  expect(await run('support', 'appoint', 'bob@example.com', '--by', 'ada@example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ada@example.com is not a member of staff'),
  });
  const first = await run('support', 'appoint', 'ada@example.com', '--by', 'ada@example.com');
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(LINK) });
  const refused = await run('support', 'appoint', 'bob@example.com', '--by', 'bob@example.com');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('bob@example.com is not a member of staff') });
  expect(await run('support', 'forbid-api', 'bob@example.com', '--by', 'ada@example.com')).toMatchObject({
    out: 'bob@example.com may not use the API.',
  });
  expect(await lastActOf(bob.id)).toMatchObject({
    type: 'account.api_forbidden',
    actor: 'SUPPORT',
    actor_id: ada.id,
    address: 'command line',
  });
});

test('a key is issued by a member of staff who says who they are, or not at all', async () => {
  const cid = await world.account('cid@example.com');
  expect(await run('issue-api-key', '--email', 'cid@example.com')).toMatchObject({ code: 1, err: expect.stringContaining('--by EMAIL') });
  const { out } = await run('issue-api-key', '--email', 'cid@example.com', '--by', 'ada@example.com');
  expect(out).toMatch(/^egress_test_/);
  expect(await lastActOf(cid.id)).toMatchObject({ type: 'api_key.issued', actor: 'SUPPORT' });
});

test('the operator hands out links for a second factor; nobody issues a key to themselves', async () => {
  await world.account('eva@example.com', 'STAFF');
  await world.account('fred@example.com');
  // Whoever runs the command on this machine is the operator, and may get the link again.
  expect((await run('support', 'enrol-factor', 'eva@example.com', '--by', 'eva@example.com')).out).toMatch(LINK);
  expect(await run('support', 'enrol-factor', 'fred@example.com', '--by', 'eva@example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Only a member of staff needs such a link.'),
  });
  // Nobody issues a key to themselves either.
  expect(await run('issue-api-key', '--email', 'eva@example.com', '--by', 'eva@example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ask another member of support'),
  });
});
