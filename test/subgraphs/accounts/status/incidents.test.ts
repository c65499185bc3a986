// Incidents that staff publish, and what gateways report and read for the status page.
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, after, toDay } from '#platform/clock.ts';
import { systemViewer } from '#platform/identity.ts';
import { STATUS_DAYS } from '../../../../schema/limits.ts';
import { codeOf, dataOf } from '../world.ts';
import { openDesk, staff, world } from '../support/desk.ts';

openDesk();

const gateway = systemViewer('status', 'status');
const FIELDS = 'id kind components impact title { en de } beginsAt endsAt resolvedAt updates { step text { en de } }';
interface IncidentView {
  id: string;
  resolvedAt: string | null;
  updates: { step: string }[];
}
const OPEN = `mutation ($input: SupportIncidentInput!) { supportIncidentOpen(input: $input) { ${FIELDS} } }`;
const UPDATE = `mutation ($id: ID!, $step: IncidentStep!, $text: IncidentTextInput!) {
  supportIncidentUpdate(id: $id, step: $step, text: $text) { ${FIELDS} }
}`;
const input = (more: object = {}) => ({
  kind: 'INCIDENT',
  components: ['SERVERS'],
  impact: 'DEGRADED',
  title: { en: 'Slow builds', de: 'Langsame Aufträge' },
  text: { en: 'We are looking.' },
  ...more,
});
const listed = async (open: boolean) =>
  dataOf<IncidentView[]>(
    await world.ask(staff, `query ($open: Boolean) { supportIncidents(open: $open) { ${FIELDS} } }`, { open }),
    'supportIncidents',
  );

test('an incident is told, goes on and ends, and what was said of it stays', async () => {
  const opened = dataOf<IncidentView>(await world.ask(staff, OPEN, { input: input() }), 'supportIncidentOpen');
  expect(opened).toMatchObject({
    title: { en: 'Slow builds', de: 'Langsame Aufträge' },
    beginsAt: world.clock.now().toISOString(),
    resolvedAt: null,
    updates: [{ step: 'INVESTIGATING', text: { en: 'We are looking.', de: null } }],
  });
  world.clock.advance(MINUTE);
  const update = (step: string) => world.ask(staff, UPDATE, { id: opened.id, step, text: { en: step, de: 'gut' } });
  dataOf(await update('IDENTIFIED'), 'supportIncidentUpdate');
  expect((await listed(true)).map(({ id }) => id)).toContain(opened.id);
  world.clock.advance(MINUTE);
  const over = dataOf<IncidentView>(await update('RESOLVED'), 'supportIncidentUpdate');
  expect(over.resolvedAt).toBe(world.clock.now().toISOString());
  expect(over.updates.map(({ step }) => step)).toEqual(['RESOLVED', 'IDENTIFIED', 'INVESTIGATING']);
  expect((await listed(true)).map(({ id }) => id)).not.toContain(opened.id);
  expect((await listed(false)).map(({ id }) => id)).toContain(opened.id);
  expect(codeOf(await update('MONITORING'))).toBe('incident_not_found');
  const read = dataOf<IncidentView[]>(await world.ask(gateway, `{ statusIncidents { ${FIELDS} } }`), 'statusIncidents');
  expect(read.find(({ id }) => id === opened.id)?.updates).toHaveLength(3);
});

test('maintenance has both its times, which are to come', async () => {
  const [beginsAt, endsAt] = [after(world.clock.now(), HOUR), after(world.clock.now(), 2 * HOUR)].map((at) => at.toISOString());
  const planned = { kind: 'MAINTENANCE', beginsAt, endsAt };
  expect(dataOf(await world.ask(staff, OPEN, { input: input(planned) }), 'supportIncidentOpen')).toMatchObject({
    beginsAt,
    endsAt,
    updates: [{ step: 'SCHEDULED' }],
  });
});

test.each([
  ['no components', { components: [] }],
  ['no English title', { title: { en: ' ', de: 'Ja' } }],
  ['a title that is too long', { title: { en: 'x'.repeat(121) } }],
  ['maintenance without an end', { kind: 'MAINTENANCE', beginsAt: '2026-01-16T00:00:00Z' }],
  ['maintenance that ends before it begins', { kind: 'MAINTENANCE', beginsAt: '2026-02-16T00:00:00Z', endsAt: '2026-02-15T00:00:00Z' }],
])('%s is refused', async (_what, more) => {
  expect(codeOf(await world.ask(staff, OPEN, { input: input(more) }))).toBe('parameter_invalid');
});

const REPORT = 'mutation ($minutes: [StatusMinuteInput!]!) { statusReport(minutes: $minutes) }';
const report = (...minutes: { component: string; at: Date; state: string }[]) =>
  world.ask(gateway, REPORT, { minutes: minutes.map((minute) => ({ ...minute, at: minute.at.toISOString() })) });
interface Day {
  component: string;
  on: string;
  measuredMinutes: number;
}
const days = async () =>
  dataOf<Day[]>(
    await world.ask(gateway, '{ statusHistory { component on measuredMinutes degradedMinutes downMinutes } }'),
    'statusHistory',
  );

test('a minute counts once, at its worst, whoever reports it and how often', async () => {
  const at = world.clock.now();
  const before = after(at, -MINUTE);
  await report({ component: 'API', at, state: 'OPERATIONAL' }, { component: 'API', at: before, state: 'DEGRADED' });
  await report({ component: 'API', at, state: 'DEGRADED' }, { component: 'API', at: before, state: 'DOWN' });
  await report({ component: 'API', at, state: 'OPERATIONAL' });
  const found = (await days()).filter(({ component }) => component === 'API');
  expect(found).toEqual([{ component: 'API', on: toDay(at), measuredMinutes: 2, degradedMinutes: 1, downMinutes: 1 }]);
});

test('what is old, or to come, is refused; days beyond the history go', async () => {
  for (const away of [-4 * DAY, HOUR])
    expect(codeOf(await report({ component: 'API', at: after(world.clock.now(), away), state: 'DOWN' }))).toBe('parameter_invalid');
  expect((await days()).length).toBeGreaterThan(0);
  world.clock.advance((STATUS_DAYS + 1) * DAY);
  await report({ component: 'API', at: world.clock.now(), state: 'OPERATIONAL' });
  expect((await days()).map(({ on }) => on)).toEqual([toDay(world.clock.now())]);
});

test('payments are degraded while a processor is not asked', async () => {
  const state = async () => dataOf(await world.ask(gateway, '{ paymentsState }'), 'paymentsState');
  expect(await state()).toBe('OPERATIONAL');
  world.platform.metrics.vendorsOpen.set({ vendor: 'card' }, 1);
  expect(await state()).toBe('DEGRADED');
  world.platform.metrics.vendorsOpen.set({ vendor: 'card' }, 0);
});
