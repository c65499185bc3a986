// Choices of the form for generation that an account keeps: for all its plans, one of a name, for nobody else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const FIELDS = 'name country exclude state city session sessionMinutes protocol quantity format savedAt';
const SAVE = `mutation ($planId: ID!, $name: String!, $input: ProxyGenerateInput!, $format: ProxyLineFormat!) {
  presets: generationPresetSave(planId: $planId, name: $name, input: $input, format: $format) { ${FIELDS} } }`;
const REMOVE = `mutation ($name: String!) { presets: generationPresetRemove(name: $name) { name } }`;
const BERLIN = { targeting: { pool: 'Germany', city: 'Berlin' }, session: 'STICKY', sessionMinutes: 30, protocol: 'SOCKS5', quantity: 250 };

const save = (plan: Plan, name: string, input: object = BERLIN, format = 'URL', by = plan.accountId) =>
  world.ask(sessionOf(by), SAVE, { planId: plan.id, name, input, format });
const namesOf = async (accountId: string) => {
  const { data } = await world.ask(sessionOf(accountId), '{ presets: generationPresets { name } }', {});
  return (data as unknown as { presets: { name: string }[] }).presets.map(({ name }) => name);
};

test('all choices are kept, also for another plan and after a sale of the first, and the same name takes new ones', async () => {
  const plan = await world.plan('acct_keeps');
  const kept = {
    name: 'Berlin shops',
    country: 'de',
    exclude: null,
    state: null,
    city: 'berlin',
    session: 'STICKY',
    sessionMinutes: 30,
    protocol: 'SOCKS5',
    quantity: 250,
    format: 'URL',
    savedAt: world.platform.clock.now().toISOString(),
  };
  expect((await save(plan, '  Berlin shops ')).data).toEqual({ presets: [kept] });
  const other = await world.plan('acct_keeps', 'MOBILE');
  const rotating = { targeting: { pool: 'Europe', exclude: 'France, Italy' }, session: 'ROTATING', protocol: 'HTTP', quantity: 1 };
  expect((await save(other, 'Away', rotating, 'HOST_FIRST')).data).toMatchObject({
    presets: [{ name: 'Away', country: 'eu', exclude: 'fr_it', session: 'ROTATING', quantity: 1, format: 'HOST_FIRST' }, kept],
  });
  expect((await save(plan, 'Berlin shops', { ...BERLIN, quantity: 5 })).data).toMatchObject({
    presets: [{ name: 'Away' }, { name: 'Berlin shops', quantity: 5 }],
  });
});

test('what the form would refuse is refused, and so is a name without letters, too long a one, and a plan of another owner', async () => {
  const plan = await world.plan('acct_refused');
  const refused = async (name: string, over: object) => codesOf(await save(plan, name, { ...BERLIN, ...over }));
  expect(await refused('Minutes', { sessionMinutes: 7 })).toEqual(['time_not_allowed']);
  expect(await refused('Count', { quantity: 5_001 })).toEqual(['quantity_invalid']);
  expect(await refused('Place', { targeting: { pool: 'Atlantis' } })).toEqual(['pool_unknown']);
  for (const name of ['   ', 'x'.repeat(61), 'two\nlines']) expect(await refused(name, {})).toEqual(['parameter_invalid']);
  expect(codesOf(await save(plan, 'Mine', BERLIN, 'URL', 'acct_stranger'))).toEqual(['plan_not_found']);
  expect(await namesOf('acct_refused')).toEqual([]);
  expect(await namesOf('acct_stranger')).toEqual([]);
});

test('an account keeps fifty; a kept one is still changed, and another takes the place of a removed one', async () => {
  const plan = await world.plan('acct_many');
  const names = Array.from({ length: 50 }, (_, index) => `Preset ${String(index).padStart(2, '0')}`);
  for (const name of names) await save(plan, name);
  expect(codesOf(await save(plan, 'One more'))).toEqual(['parameter_invalid']);
  expect(codesOf(await save(plan, 'Preset 07', { ...BERLIN, quantity: 1 }))).toEqual([]);
  expect(await namesOf('acct_many')).toEqual(names);

  await world.ask(sessionOf('acct_stranger'), REMOVE, { name: 'Preset 07' });
  expect(await namesOf('acct_many')).toHaveLength(50);
  const left = names.filter((name) => name !== 'Preset 07').map((name) => ({ name }));
  expect((await world.ask(sessionOf('acct_many'), REMOVE, { name: 'Preset 07' })).data).toEqual({ presets: left });
  expect((await world.ask(sessionOf('acct_many'), REMOVE, { name: 'Preset 07' })).data).toEqual({ presets: left });
  expect(codesOf(await save(plan, 'One more'))).toEqual([]);
});
