import { expect, test } from 'vitest';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { ACCOUNTS_ACCESS } from './access/accounts.ts';
import { COMPUTE_ACCESS } from './access/compute.ts';
import { RESIDENTIAL_ACCESS } from './access/residential.ts';
import { STATIC_ACCESS } from './access/static.ts';
import { hiddenFields, rootFields } from './subgraphs.ts';

/** Fields that the contracts hide from the API. */
const hidden = SUBGRAPHS.flatMap((name) => [...hiddenFields(name)]);

/** The gateway calls these for viewers without a session, or whose session may have ended. */
const HIDDEN_FOR_ANYONE = [
  'sessionCreate',
  'sessionConfirm',
  'sessionEnd',
  'impersonationEnd',
  'passkeySignInStart',
  'passkeySignIn',
  'chatStart',
  'signUpBegin',
  'signUpFollow',
  'chatFinish',
].map((name) => `Mutation.${name}`);
/** The gateway calls this for a member of staff, and stores the answer in a cookie. */
const HIDDEN_FOR_STAFF = 'Mutation.supportImpersonationBegin';

test('every root field of every subgraph declares its scopes, as without them everybody could call it', () => {
  const silent = rootFields().filter(({ scopes }) => typeof scopes !== 'function' && Object.keys(scopes ?? {}).length === 0);
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('fields that are hidden from the API answer the platform only', () => {
  const open = rootFields().filter(
    ({ path, scopes }) =>
      hidden.includes(path) && ![...HIDDEN_FOR_ANYONE, HIDDEN_FOR_STAFF].includes(path) && JSON.stringify(scopes) !== '{"system":true}',
  );
  expect(open).toEqual([]);
  expect(hidden.length).toBeGreaterThan(HIDDEN_FOR_ANYONE.length);
});

test('servers answer their owner and keys with the scope; offers, consoles, passwords and the copy of the data need a session', () => {
  const others = rootFields().filter(
    ({ subgraph, scopes }) =>
      subgraph === 'compute' &&
      !/^(account with servers|key with servers or session with \w+|anyone|staff with \w+|system)$/.test(
        describeScopes(scopes as Record<string, unknown>),
      ),
  );
  expect(
    others
      .filter(({ path }) => !/(Offer(Accept)?|OpenConsole|Reveal(Rescue)?Password|Query\.computeData)$/.test(path))
      .map(({ path }) => path),
  ).toEqual([]);
});

test.each([
  ['accounts', ACCOUNTS_ACCESS],
  ['residential', RESIDENTIAL_ACCESS],
  ['static', STATIC_ACCESS],
  ['compute', COMPUTE_ACCESS],
] as const)('who may reach what of %s', (name, access) => {
  const table = rootFields()
    .filter(({ subgraph }) => subgraph === name)
    .map(
      ({ subgraph, path, scopes }) =>
        `${subgraph.padEnd(13)}${path.padEnd(46)}${typeof scopes === 'function' ? 'by its own rule' : describeScopes(scopes)}`,
    )
    .sort();
  expect(`\n${table.join('\n')}`).toBe(access);
});

function describeScopes(scopes: Record<string, unknown> | undefined): string {
  return Object.entries(scopes ?? {})
    .map(([name, value]) =>
      value === true
        ? name
        : typeof value === 'object' && value !== null
          ? describeScopes(value as Record<string, unknown>)
          : `${name} with ${String(value)}`,
    )
    .join(' or ');
}
