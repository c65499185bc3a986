// Operations for one kind of server (VPS or dedicated) answer for a server of the other kind as if it did not exist. The operations are read from the schema,
// so that new ones are tested too.
import { readFileSync } from 'node:fs';
import { type FieldDefinitionNode, Kind, type ObjectTypeDefinitionNode, parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { METAL_IDS } from '../../../../sandbox/redfish/state.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

let virtual: ComputeWorld;
let metal: MetalWorld;
const ids = { vps: '', dedicated: '' };
beforeAll(async () => {
  [virtual, metal] = await Promise.all([startCompute(), startMetal({ machines: METAL_IDS.slice(0, 1) })]);
  ids.vps = (await virtual.built()).id;
  ids.dedicated = (await metal.built()).id;
});
afterAll(() => Promise.all([virtual.close(), metal.close()]));

const schema = parse(readFileSync(new URL('../../../../schema/compute.graphql', import.meta.url), 'utf8'));
const fieldsOf = (name: string): readonly FieldDefinitionNode[] =>
  schema.definitions.find((node): node is ObjectTypeDefinitionNode => node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === name)
    ?.fields ?? [];
const operations = (['Query', 'Mutation', 'Subscription'] as const).flatMap((root) =>
  fieldsOf(root)
    .filter(({ name, arguments: args = [] }) => /^(?:vps|dedicated)/.test(name.value) && args.some(({ name: { value } }) => value === 'id'))
    .map((field) => ({ root, name: field.name.value, field })),
);

/** Argument -> a value that passes the operation's own checks. */
const VALUES: Record<string, string> = {
  backup: `"bkp_${'0'.repeat(26)}"`,
  hostname: '"metal-1"',
  os: 'DEBIAN_13',
  kind: 'TEXT',
  plan: 'EINSTEIN',
  extraIpv4: '2',
};
const SCALARS = new Set(['String', 'Boolean', 'Int', 'ID']);
function documentOf(root: string, { name, arguments: args = [], type }: FieldDefinitionNode, id: string): string {
  const given = args
    .filter((argument) => argument.type.kind === Kind.NON_NULL_TYPE)
    .map((argument) => `${argument.name.value}: ${argument.name.value === 'id' ? `"${id}"` : VALUES[argument.name.value]}`);
  const selection = SCALARS.has(print(type).replaceAll(/[[\]!]/g, '')) ? '' : ' { __typename }';
  return `${root.toLowerCase()} { ${name.value}(${given.join(', ')})${selection} }`;
}

const answerOf = async (world: ComputeWorld | MetalWorld, root: string, document: string) => {
  if (root !== 'Subscription') return world.ask(sessionOf('acct_owner'), document);
  const answer = await world.subscribe(sessionOf('acct_owner'), document);
  return 'errors' in answer ? answer : { errors: undefined };
};

test('the schema has such operations', () => expect(operations.length).toBeGreaterThan(15));

test.each(operations.filter(({ name }) => name.startsWith('vps')))('$name knows no dedicated server', async ({ root, field }) => {
  const { errors } = await answerOf(metal, root, documentOf(root, field, ids.dedicated));
  expect(errors?.[0]?.extensions?.['code']).toBe('server_not_found');
});

test.each(operations.filter(({ name }) => name.startsWith('dedicated')))('$name knows no VPS', async ({ root, field }) => {
  const { errors } = await answerOf(virtual, root, documentOf(root, field, ids.vps));
  expect(errors?.[0]?.extensions?.['code']).toBe('server_not_found');
  expect((await virtual.server('ord_1')).power_state).toBe('RUNNING');
});

describe('a password', () => {
  const revealing = fieldsOf('Mutation')
    .map(({ name }) => name.value)
    .filter((name) => /^(?:vps|dedicatedServer|server)Reveal/.test(name));

  test.each(revealing)('is not told by %s to a key, whatever it may do', async (name) => {
    const [world, id] = name.startsWith('vps') ? [virtual, ids.vps] : [metal, ids.dedicated];
    const key = { ...keyOf('acct_owner'), scopes: ['read', 'generate', 'servers', 'billing'] as const };
    const { data, errors } = await world.ask(key as never, `mutation { ${name}(id: "${id}") }`);
    expect([data?.[name], errors?.[0]?.extensions['code']]).toEqual([undefined, 'forbidden']);
  });

  test.each(revealing.filter((name) => !name.startsWith('server')))("is told by %s to the owner's own session alone", async (name) => {
    const [world, id] = name.startsWith('vps') ? [virtual, ids.vps] : [metal, ids.dedicated];
    const ask = (accountId: string, staff = false) => world.ask(sessionOf(accountId, staff), `mutation { ${name}(id: "${id}") }`);
    expect((await ask('acct_owner')).data?.[name]).toMatch(/^\w{20}$/);
    for (const other of [await ask('acct_other'), await ask('acct_staff', true)])
      expect(other.errors?.[0]?.extensions['code']).toBe('server_not_found');
  });
});
