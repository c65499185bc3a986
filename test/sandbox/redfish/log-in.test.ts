import { expect, test } from 'vitest';
import { createLogIn } from '../../../sandbox/redfish/log-in.ts';
import { emptyRedfishState } from '../../../sandbox/redfish/state.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('a controller is opened by its machine and either password, and by nothing else', () => {
  const state = emptyRedfishState();
  const [id = ''] = Object.keys(state.machines);
  const logIn = createLogIn(state, ['present:one', 'former']);
  expect([logIn(basic(`${id}:present:one`)), logIn(basic(`${id}:former`))]).toEqual([state.machines[id], state.machines[id]]);
  const wrong = [
    undefined,
    '',
    'Bearer former',
    basic(id),
    basic(`${id}:`),
    basic(`${id}:present`),
    basic('other:former'),
    basic(':former'),
  ];
  for (const authorization of wrong) expect(logIn(authorization)).toBeUndefined();
});
