// The SSH public keys of an account: stored once, and chosen when a server is installed.
import { expect, test } from 'vitest';
import { act, deliver, id, machine, owner, withOwnedVps, world } from '../owned-vps.ts';
import { other } from '../owner-firewall.ts';

withOwnedVps();

const LINE = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGXkciLHURqLACAo5i43AZ4pzUaSMZ5jhfZe2bbf9zBo';
const FINGERPRINT = 'SHA256:UBDWtdQvOAf7/eK1xjQ1EEcamOH56wW2kfGWj0k2iM8';

interface Key {
  id: string;
  name: string;
  fingerprint: string;
  createdAt: string;
}
const keys = async (viewer = owner) =>
  (await world.must<{ sshKeys: Key[] }>(viewer, '{ sshKeys { id name fingerprint createdAt } }')).sshKeys;
const add = async (publicKey: string, name: string | null = null, viewer = owner) => {
  const { data, errors } = await world.ask(
    viewer,
    'mutation ($publicKey: String!, $name: String) { sshKeyAdd(publicKey: $publicKey, name: $name) { id name fingerprint createdAt } }',
    { publicKey, name },
  );
  return errors?.[0]?.message ?? (data as { sshKeyAdd: Key }).sshKeyAdd;
};
const refusal = async (mutation: string, viewer = owner) =>
  (await world.ask(viewer, `mutation { ${mutation} }`)).errors?.[0]?.extensions['code'];

test('a key is stored once, called by its comment or by a name, renamed and taken away, by its owner alone', async () => {
  const added = (await add(`${LINE} ada@laptop`)) as Key;
  expect(added.createdAt).toBe(world.clock.now().toISOString());
  expect(added).toMatchObject({ name: 'ada@laptop', fingerprint: FINGERPRINT });
  expect(await add(`${LINE} under another comment`)).toBe('This key is stored already, as ada@laptop.');
  expect(await add('ssh-ed25519 AAAA')).toBe('This is not a public SSH key in one line.');
  expect(await add(LINE.replace('9zBo', '9zBp'))).toBe('Name the key, in up to 64 characters.');
  // An account cannot find out which keys another account keeps.
  expect(await add(LINE, 'theirs', other)).toMatchObject({ name: 'theirs' });
  expect(await refusal(`sshKeyRename(id: "${added.id}", name: "mine") { id }`, other)).toBe('ssh_key_not_found');
  expect(await refusal(`sshKeyDelete(id: "${added.id}")`, other)).toBe('ssh_key_not_found');
  await world.must(owner, `mutation { sshKeyRename(id: "${added.id}", name: " Laptop ") { name createdAt } }`);
  expect(await keys()).toEqual([{ ...added, name: 'Laptop' }]);
  await world.must(owner, `mutation { sshKeyDelete(id: "${added.id}") }`);
  expect(await keys()).toEqual([]);
  expect(await keys(other)).toHaveLength(1);
});

test('of one key that comes twice at once, one is stored', async () => {
  const line = LINE.replace('9zBo', '9zBq');
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => add(line, name)));
  expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(2);
  expect(await keys()).toHaveLength(1);
});

test('a system that is installed anew has the keys that were chosen for it, and those that the server had without a choice', async () => {
  await deliver();
  const reinstall = async (args: string) => {
    const { errors } = await world.ask(owner, `mutation ($id: ID!) { vpsReinstall(id: $id, ${args}) { id } }`, { id });
    if (errors?.[0]) return errors[0].message;
    await world.run();
    return decodeURIComponent(String(machine().config['sshkeys'] ?? ''));
  };
  expect(await reinstall(`os: DEBIAN_12, sshKeys: ["${LINE} ada"]`)).toBe(`${LINE} ada`);
  expect(await reinstall('os: DEBIAN_13')).toBe(`${LINE} ada`);
  expect(await reinstall('os: DEBIAN_13, sshKeys: ["no key"]')).toContain('This is not a public SSH key in one line.');
  expect(await reinstall(`os: WINDOWS_SERVER_2022, sshKeys: ["${LINE}"]`)).toContain('SSH keys are for Linux.');
  expect(await reinstall('os: DEBIAN_13, sshKeys: []')).toBe('');
  expect(await act('vpsReboot')).toBe('begun');
});
