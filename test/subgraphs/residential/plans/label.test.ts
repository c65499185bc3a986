// What an owner calls a plan: other owners do not see it, other windows follow it, and it goes when the account is closed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const SET =
  'mutation ($id: ID!, $input: PlanLabelInput!) { residentialPlanSetLabel(id: $id, input: $input) { label { name note colour } } }';
const set = ({ id, accountId }: Plan, input: object, by = accountId) => world.ask(sessionOf(by), SET, { id, input });
const labels = async (accountId: string) =>
  (await world.ask(sessionOf(accountId), '{ residentialPlans { id label { name note colour } } }', {})).data;

test('a plan has the name, the note and the colour that its owner gives it, and all of it is set anew', async () => {
  const plan = await world.plan('acct_names');
  const other = await world.plan('acct_names');
  expect((await set(plan, { name: '  Shop crawler ', note: 'Two\r\nlines', colour: 'BLUE' })).data).toEqual({
    residentialPlanSetLabel: { label: { name: 'Shop crawler', note: 'Two\nlines', colour: 'BLUE' } },
  });
  expect(await labels('acct_names')).toEqual({
    residentialPlans: expect.arrayContaining([
      { id: plan.id, label: { name: 'Shop crawler', note: 'Two\nlines', colour: 'BLUE' } },
      { id: other.id, label: { name: '', note: '', colour: null } },
    ]),
  });
  await set(plan, { name: 'Crawler' });
  expect(await labels('acct_names')).toMatchObject({
    residentialPlans: expect.arrayContaining([{ id: plan.id, label: { name: 'Crawler', note: '', colour: null } }]),
  });
  expect((await world.events(plan.id)).filter(({ type }) => type === 'residential_plan.labelled')).toHaveLength(2);
});

test('what is too long, has control characters, or is of another owner is refused and changes nothing', async () => {
  const plan = await world.plan('acct_long');
  await set(plan, { name: 'Kept' });
  for (const input of [{ name: 'x'.repeat(61) }, { name: 'two\nlines' }, { note: 'x'.repeat(501) }, { note: 'bell\u0007' }])
    expect(codesOf(await set(plan, input)), JSON.stringify(input)).toEqual(['parameter_invalid']);
  expect(codesOf(await set(plan, { name: 'Mine' }, 'acct_stranger'))).toEqual(['plan_not_found']);
  expect(await labels('acct_long')).toMatchObject({ residentialPlans: [{ label: { name: 'Kept' } }] });
});
