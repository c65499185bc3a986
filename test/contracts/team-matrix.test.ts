// What members of a team may do in its account, role by role, and what a member sees who has access to some plans and servers alone: every operation and
// subscription is asked for as each. The tables in `access/` say which permission each needs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { type Member, TEAM_PERMISSIONS, TEAM_ROLES, type TeamPermission, mayInTeam } from '#platform/team-permissions.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { rowsOfAccount } from '../kit/dump.ts';
import { sessionOf } from '../kit/platform.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { ACCOUNTS_ACCESS } from './access/accounts.ts';
import { COMPUTE_ACCESS } from './access/compute.ts';
import { RESIDENTIAL_ACCESS } from './access/residential.ts';
import { STATIC_ACCESS } from './access/static.ts';
import { ROOTS, type Root, type Thing } from './access-doors.ts';
import { type Owner, seedOwner } from './access-owner.ts';
import { documentOf } from './access-questions.ts';

const NEEDS = new Map(
  [ACCOUNTS_ACCESS, RESIDENTIAL_ACCESS, STATIC_ACCESS, COMPUTE_ACCESS]
    .flatMap((table) => table.trim().split('\n'))
    .map((line) => {
      const [, path = '', ...who] = line.split(/\s+/);
      return [path, who.join(' ')] as const;
    }),
);

/** The permission that a member needs; `anybody`: none; undefined: no member may. */
function neededFor({ path }: Root): TeamPermission | 'anybody' | undefined {
  const who = NEEDS.get(path) ?? '';
  if (/anyone|by its own rule/.test(who)) return 'anybody';
  const [, permission] = /(?:account|session) with (\w+)/.exec(who) ?? [];
  return permission as TeamPermission | undefined;
}

let stack: Stack;
let owner: Owner;
let colleague: string;
beforeAll(async () => {
  stack = await startStack();
  owner = await seedOwner(stack);
  colleague = (await stack.seed.account()).id;
});
afterAll(() => stack.close());

const as = (member: Omit<Member, 'accountId'>): Viewer => ({
  ...(sessionOf(owner.id) as Viewer & { kind: 'session' }),
  member: { accountId: colleague, ...member },
});

/** Nothing has these ids: what is refused is refused for the role. */
const NOTHING = new Proxy({} as Record<Thing, string>, { get: () => 'nothing_at_all' });

async function ask(viewer: Viewer, root: Root, things: Record<Thing, string>) {
  const { query, variables } = documentOf(root, things);
  const { gateway } = stack.server;
  const operation = gateway.prepare(query);
  if (root.kind !== 'Subscription') return gateway.execute(operation, { variables, viewer });
  const opened = await gateway.subscribe(operation, { variables, viewer });
  if (!(Symbol.asyncIterator in opened)) return opened;
  await opened.return?.();
  return { data: null, errors: undefined };
}

/** Whether the operation itself was refused: fields below it have permissions of their own. */
const isRefused = (root: Root, errors: Awaited<ReturnType<typeof ask>>['errors']): boolean =>
  errors?.some(({ path, extensions }) => extensions['code'] === 'team_role_missing' && (!path || path.length === 1)) ?? false;

/** These end what the test works with, or answer a member who asks for nothing. */
const LEFT_OUT = /^Mutation\.(session|signUp|totp|team(Leave|Switch)|accountClose)/;

describe.each(TEAM_ROLES)('a member who is %s', (role) => {
  test('is refused what the role does not include, and nothing else', async () => {
    const wrong: string[] = [];
    for (const root of ROOTS.filter(({ path }) => !LEFT_OUT.test(path) && !path.includes('.support'))) {
      const needed = neededFor(root);
      const may = needed === 'anybody' || (needed !== undefined && mayInTeam({ role }, needed));
      const { errors } = await ask(as({ role }), root, NOTHING);
      if (isRefused(root, errors) === may)
        wrong.push(`${root.path}: ${may ? 'refused' : 'let in'}, needs ${needed ?? 'the person itself'}`);
    }
    expect(wrong).toEqual([]);
  });

  test('has nothing of the desk', async () => {
    for (const root of ROOTS.filter(({ path }) => path.includes('.support'))) {
      const { errors } = await ask(as({ role }), root, NOTHING);
      expect(errors?.[0]?.extensions['code'], root.path).toBe('forbidden');
    }
  });
});

/** What belongs to the account as a whole, and what a member needs of it who has some plans and servers alone. */
const OF_ALL: readonly Thing[] = ['account', 'sshKey', 'product'];

test('a member with access to other plans and servers alone reads and changes none of these', async () => {
  const viewer = as({ role: 'DEVELOPER', only: [`plan_${'2'.repeat(26)}`] });
  const before = await rowsOfAccount(stack.database.query, owner.id, SUBGRAPHS);
  const all = new Set([...OF_ALL.map((thing) => owner.things[thing]), 'alice-the-owner', 'laptop-of-alice', 'none_at_all']);
  const leaked: string[] = [];
  for (const root of ROOTS.filter(({ path }) => !LEFT_OUT.test(path) && !path.includes('.sshKey') && !path.includes('.support'))) {
    const { data } = await ask(viewer, root, owner.things);
    const text = JSON.stringify(data ?? null);
    for (const marker of owner.markers) if (!all.has(marker) && text.includes(marker)) leaked.push(`${root.path} shows ${marker}`);
  }
  expect(leaked).toEqual([]);
  expect(await rowsOfAccount(stack.database.query, owner.id, SUBGRAPHS)).toEqual(before);
});

test('every permission is one that some operation needs', () => {
  const needed = new Set(ROOTS.map(neededFor));
  expect(TEAM_PERMISSIONS.filter((permission) => !needed.has(permission))).toEqual([]);
});
