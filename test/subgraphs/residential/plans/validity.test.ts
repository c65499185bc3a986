// A package that is sold for so many days: until when it is valid, what a top-up makes of that, and what becomes of it at its end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND, after } from '#platform/clock.ts';
import { GB, MB } from '#platform/data-size.ts';
import { inTransaction } from '#platform/database.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { openOffer } from '#commerce/offers.ts';
import { edgePlanById } from '../../../../subgraphs/residential/edges/entities/edge.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { rebuildUsage, verifyUsage } from '../../../../subgraphs/residential/metering/services/verify-usage.ts';
import { type Plan, remainingBytes, usedBytes } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { statusOf } from '../../../../subgraphs/residential/plans/domain/plan-status.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world?.close());

const staff = sessionOf('acct_desk', true);
const setDays = (value: string) =>
  world.ask(
    staff,
    `mutation { supportResidentialCatalogueSet(item: "residential.PREMIUM", field: "validDays", value: "${value}", reason: "kept for a month") { value } }`,
  );
const say = async (event: Omit<NewEvent, 'at'>) => {
  await inTransaction(world.context(), (tx) => appendEvents(tx.em, { ...event, at: world.clock.now() } as NewEvent));
  await world.subgraph.reader.drain();
};
let orders = 0;
/** An order is paid and delivered; returns its id. */
const pay = async (accountId: string, fulfil: Record<string, unknown>) => {
  const subject = `ord_validity_${++orders}`;
  await say({ type: 'order.paid', accountId, subject, data: { seller: 'residential', title: 'Data', fulfil } });
  return subject;
};
const topUp = async (plan: Plan, validDays?: number, bytes = GB) => {
  await pay(plan.accountId, { product: plan.product, bytes: bytes.toString(), planId: plan.id, ...(validDays && { validDays }) });
  return world.planNow(plan.id);
};
const bought = (accountId: string, validDays = 30, bytes = 10n * GB) => world.plan(accountId, 'PREMIUM', bytes, validDays);
const lapse = () => world.platform.queue.runNow('residential.plans-lapse');
/** Moves the clock to the end of a plan, and runs the job. */
const end = async (plan: Plan) => {
  world.clock.set(plan.validUntil ?? world.clock.now());
  await lapse();
  return world.planNow(plan.id);
};
const lease = async (plan: Plan, bytes: bigint, reports: Parameters<typeof syncLeases>[2]['reports'] = [], graceMs = 0) => {
  const wants = bytes === 0n ? [] : [{ planId: plan.id, epoch: 1, bytes: Number(bytes), starved: false }];
  return syncLeases(world.context(), 'node', { reports, wants, graceMs });
};
const spent = (bytes: bigint | number) => [{ country: 'de', session: null, host: '', client: '', up: 0, down: Number(bytes) }];
const typesOf = async ({ id }: Plan) => (await world.events(id)).map(({ type }) => type.replace('residential_plan.', ''));
const dataOf = async ({ id }: Plan, type: string) =>
  (await world.events(id)).filter((event) => event.type === `residential_plan.${type}`).map(({ data }) => data);
const seen = async ({ id, accountId }: Plan) => {
  const text = `{ residentialPlan(id: "${id}") { status endedBy validUntil lapsedBytes usage { remainingBytes }
    availableActions { action allowed reasonCode } } }`;
  return ((await world.ask(sessionOf(accountId), text)).data as any).residentialPlan;
};
const differences = async () => (await verifyUsage(world.context())).differences;

test('for ever is the default: nothing says an end, and none comes', async () => {
  const { data } = await world.ask(
    sessionOf('acct_ever'),
    '{ residentialProducts { validDays } residentialOffer(product: PREMIUM, gigabytes: 10) { validDays lines { label } token } }',
  );
  const { residentialProducts, residentialOffer } = data as any;
  expect(new Set(residentialProducts.map(({ validDays }: { validDays: number | null }) => validDays))).toEqual(new Set([null]));
  expect(residentialOffer).toMatchObject({ validDays: null, lines: [{ label: 'Premium residential proxies, per GB' }] });
  expect(openOffer(residentialOffer.token, 'acct_ever', world.platform.secrets.offers, world.clock).fulfil).not.toHaveProperty('validDays');
  const plan = await world.plan('acct_ever');
  const before = world.clock.now();
  world.clock.advance(4_000 * DAY);
  await lapse();
  expect(await seen(plan)).toMatchObject({ status: 'ACTIVE', endedBy: null, validUntil: null, lapsedBytes: '0' });
  world.clock.set(before);
});

test('what the offer says is what is delivered, to the second, whatever the catalogue says by then', async () => {
  expect((await setDays('30')).data).toEqual({ supportResidentialCatalogueSet: { value: '30' } });
  const { data } = await world.ask(
    sessionOf('acct_offer'),
    '{ residentialProducts { code validDays } residentialOffer(product: PREMIUM, gigabytes: 10) { validDays lines { label } token } }',
  );
  const { residentialProducts, residentialOffer: offer } = data as any;
  expect(residentialProducts[0]).toEqual({ code: 'PREMIUM', validDays: 30 });
  expect(offer).toMatchObject({ validDays: 30, lines: [{ label: 'Premium residential proxies, per GB, valid for 30 days' }] });
  await setDays('7');
  const { fulfil } = openOffer(offer.token, 'acct_offer', world.platform.secrets.offers, world.clock);
  world.clock.advance(5 * SECOND);
  await pay('acct_offer', fulfil);
  await setDays('for ever');
  const { data: own } = await world.ask(sessionOf('acct_offer'), '{ residentialPlans { validUntil createdAt } }');
  const [plan] = (own as any).residentialPlans;
  expect(plan).toEqual({ createdAt: world.clock.now().toISOString(), validUntil: after(world.clock.now(), 30 * DAY).toISOString() });
});

test('a price made by sales is valid for as long as its product, and says so', async () => {
  await setDays('1');
  const { data } = await world.ask(
    sessionOf('acct_sales', true),
    '{ supportResidentialOffer(accountId: "acct_big", product: PREMIUM, gigabytes: 20000, amountMinor: 100) { validDays lines { label } } }',
  );
  await setDays('for ever');
  expect(data).toMatchObject({
    supportResidentialOffer: { validDays: 1, lines: [{ label: 'Premium residential proxies, as agreed, valid for 1 day' }] },
  });
});

describe('a top-up', () => {
  test.each([
    ['ends later than the plan: all of it is valid until then', 30, 30, 40],
    ['ends earlier than the plan: the plan keeps its end', 30, 5, 30],
    ['is for ever: so is the plan', 30, undefined, null],
    ['of a plan for ever leaves it so', undefined, 30, null],
  ])('that %s', async (_title, plan, added, days) => {
    const start = world.clock.now();
    const before = await world.plan('acct_more', 'PREMIUM', 10n * GB, plan);
    await world.use(before, 4n * GB);
    world.clock.advance(10 * DAY);
    const now = await topUp(before, added);
    expect([now.validUntil, remainingBytes(now)]).toEqual([days === null ? null : after(start, days * DAY), 7n * GB]);
  });

  test('lets a plan that is used up go on, with a new end', async () => {
    const plan = await bought('acct_again', 30, GB);
    await world.use(plan, GB);
    world.clock.advance(29 * DAY);
    const now = await topUp(plan, 30);
    expect([statusOf(now), now.validUntil]).toEqual(['ACTIVE', after(world.clock.now(), 30 * DAY)]);
    expect((await dataOf(plan, 'topped_up')).at(-1)).toMatchObject({ validUntil: now.validUntil?.toISOString() });
  });
});

test('at its end a plan is over to the second, and the job notes what has lapsed, once', async () => {
  const plan = await bought('acct_end');
  await world.use(plan, 3n * GB);
  world.clock.set(after(plan.validUntil ?? new Date(0), -1));
  await lapse();
  expect(await seen(plan)).toMatchObject({ status: 'ACTIVE', endedBy: null, lapsedBytes: '0' });
  world.clock.set(plan.validUntil as Date);
  const over = { status: 'EXPIRED', endedBy: 'LAPSED', lapsedBytes: (7n * GB).toString(), usage: { remainingBytes: '0' } };
  expect(await seen(plan)).toMatchObject(over);
  expect(await typesOf(plan)).toEqual(['created']);
  for (let round = 0; round < 2; round++) await lapse();
  expect(await seen(plan)).toMatchObject(over);
  expect(await typesOf(plan)).toEqual(['created', 'lapsed', 'expired']);
  expect(await dataOf(plan, 'lapsed')).toEqual([
    { planId: plan.id, title: 'Premium, 10 GB', bytes: (7n * GB).toString(), validUntil: plan.validUntil?.toISOString() },
  ]);
  expect(await world.tables.lapsesOf(plan.id)).toEqual([(7n * GB).toString()]);
  expect(await differences()).toEqual([]);
});

test('nothing can be done with a plan that has lapsed, each for its own reason; money that comes later goes back', async () => {
  const plan = await end(await bought('acct_over'));
  const { availableActions } = await seen(plan);
  expect(availableActions.filter(({ action }: { action: string }) => action !== 'set_daily_limit')).toEqual(
    ['reset_authentication', 'generate', 'top_up'].map((action) => ({ action, allowed: false, reasonCode: 'plan_lapsed' })),
  );
  const ask = async (text: string, by = sessionOf('acct_over')) => {
    const answer = await world.ask(by, text);
    return [...codesOf(answer), answer.errors?.[0]?.extensions['reasonCode']];
  };
  expect(await ask(`{ residentialTopUpOffer(planId: "${plan.id}", gigabytes: 5) { token } }`)).toEqual([
    'action_not_allowed',
    'plan_lapsed',
  ]);
  expect(await ask(`mutation { supportPlanWithdraw(input: { planId: "${plan.id}", leftBytes: "0", reason: "a" }) { id } }`, staff)).toEqual(
    ['action_not_allowed', 'plan_lapsed'],
  );
  const late = await topUp(plan, 30);
  expect([late.totalBytes, late.validUntil, statusOf(late)]).toEqual([plan.totalBytes, plan.validUntil, 'EXPIRED']);
  expect((await world.events(plan.id)).at(-1)).toMatchObject({ type: 'fulfilment.failed' });
  await say({ type: 'order.withdrawn', accountId: plan.accountId, subject: plan.orderId, data: { seller: 'residential', fulfil: {} } });
  expect((await world.planNow(plan.id)).withdrawn).toBe(false);
  expect(await differences()).toEqual([]);
});

test('an order that was delivered before the end does not fail when it is told again after it', async () => {
  const plan = await bought('acct_twice', 10);
  const fulfil = { product: plan.product, bytes: GB.toString(), planId: plan.id, validDays: 10 };
  const orderId = await pay(plan.accountId, fulfil);
  await end(await world.planNow(plan.id));
  await say({ type: 'order.paid', accountId: plan.accountId, subject: orderId, data: { seller: 'residential', title: 'Data', fulfil } });
  expect(await typesOf(plan)).not.toContain('fulfilment.failed');
});

describe('nodes', () => {
  test('hold no lease beyond the end, whatever their grace, and get none after it', async () => {
    const plan = await bought('acct_node');
    const validUntil = plan.validUntil as Date;
    world.clock.set(after(validUntil, -4 * SECOND));
    const { grants } = await lease(plan, MB, [], HOUR);
    expect(grants[0]).toMatchObject({ outcome: 'granted', validMs: 4 * SECOND });
    world.clock.advance(SECOND);
    const report = { lease: grants[0]?.lease ?? '', parts: spent(1_000), final: false };
    expect((await lease(plan, 0n, [report], HOUR)).renewed).toEqual([{ lease: report.lease, validMs: 3 * SECOND }]);
    world.clock.set(validUntil);
    expect(await lease(plan, MB, [report], HOUR)).toMatchObject({ renewed: [], grants: [{ outcome: 'used_up' }] });
    const facts = await edgePlanById(world.context(), plan.id, validUntil);
    expect(facts && statusOf(facts)).toBe('EXPIRED');
  });

  test('may report after the end what was used before it: sold is used and lapsed to the byte', async () => {
    const plan = await bought('acct_late');
    world.clock.set(after(plan.validUntil as Date, -SECOND));
    const { grants } = await lease(plan, 32n * MB);
    await end(plan);
    expect(await world.tables.lapsesOf(plan.id)).toEqual([(10n * GB).toString()]);
    await lease(plan, 0n, [{ lease: grants[0]?.lease ?? '', parts: spent(5n * MB), final: true }]);
    await world.use(plan, MB, { at: after(plan.validUntil as Date, -1) });
    const now = await world.planNow(plan.id);
    expect([usedBytes(now), now.lapsedBytes]).toEqual([6n * MB, 10n * GB - 6n * MB]);
    expect(await world.tables.lapsesOf(plan.id)).toEqual([10n * GB, -5n * MB, -MB].map(String));
    expect(await differences()).toEqual([]);
  });

  test('are told of the end by the change of the plan’s status', async () => {
    const plan = await bought('acct_told');
    const heard: unknown[] = [];
    const stop = await world.platform.notifications.listen('egress_plan_change', (payload) => heard.push(JSON.parse(payload ?? 'null')));
    await end(plan);
    await expect.poll(() => heard).toContainEqual({ planId: plan.id, epoch: 1 });
    stop();
  });
});

test('an audit finds what was noted wrongly, and notes it again', async () => {
  const plan = await end(await bought('acct_audit'));
  await world.tables.setLapsed(plan.id, 5n);
  const noted = (10n * GB).toString();
  expect(await differences()).toEqual([{ what: 'lapse', planId: plan.id, of: '', stored: `5 ${noted}`, expected: `${noted} ${noted}` }]);
  await rebuildUsage(world.context(), [plan.id]);
  expect(await differences()).toEqual([]);
});

test('a plan that is used up ends without bytes, and one that was withdrawn does not lapse', async () => {
  const [used, taken] = [await bought('acct_nothing', 30, GB), await bought('acct_nothing')];
  await world.use(used, GB);
  await world.ask(staff, `mutation { supportPlanWithdraw(input: { planId: "${taken.id}", leftBytes: "0", reason: "a" }) { id } }`);
  await end(used);
  expect((await dataOf(used, 'lapsed')).map(({ bytes }) => bytes)).toEqual(['0']);
  expect([await seen(used), await seen(taken)]).toMatchObject([{ endedBy: 'LAPSED' }, { endedBy: 'WITHDRAWN', lapsedBytes: '0' }]);
  expect(await typesOf(taken)).not.toContain('lapsed');
  expect(await differences()).toEqual([]);
});

test('a daily limit that pauses a plan does not stop the clock', async () => {
  const plan = await bought('acct_paused');
  await world.ask(sessionOf('acct_paused'), `mutation { residentialPlanSetDailyLimit(id: "${plan.id}", dailyLimitBytes: "${GB}") { id } }`);
  world.clock.set(after(plan.validUntil as Date, -SECOND));
  await world.use(plan, GB);
  expect(await seen(plan)).toMatchObject({ status: 'PAUSED' });
  await end(plan);
  expect(await seen(plan)).toMatchObject({ status: 'EXPIRED', endedBy: 'LAPSED', lapsedBytes: (9n * GB).toString() });
});

test('automatic top-ups buy by use alone: nothing at the end, after which they are off', async () => {
  const plan = await bought('acct_auto', 30, 2n * GB);
  const terms = `{ leftBytes: "${GB}", gigabytes: 5, ceilingMinor: 100000 }`;
  await world.ask(sessionOf('acct_auto'), `mutation { residentialPlanSetAutoTopUp(id: "${plan.id}", input: ${terms}) { id } }`);
  await end(plan);
  await world.use(plan, MB, { at: after(plan.validUntil as Date, -1) });
  await world.platform.queue.runNow('residential.top-ups-due');
  expect(await typesOf(plan)).not.toContain('top_up_asked');
  const { data } = await world.ask(sessionOf('acct_auto'), `{ residentialPlan(id: "${plan.id}") { autoTopUp { enabled off } } }`);
  expect(data).toEqual({ residentialPlan: { autoTopUp: { enabled: false, off: null } } });
});

test('alerts of data left are not told of what has lapsed', async () => {
  const plan = await bought('acct_alerts');
  await world.ask(
    sessionOf('acct_alerts'),
    `mutation { residentialPlanSetAlerts(id: "${plan.id}", input: { percents: [], leftBytes: ["${GB}"] }) { id } }`,
  );
  await end(plan);
  await world.use(plan, MB, { at: after(plan.validUntil as Date, -1) });
  expect((await typesOf(plan)).filter((type) => type === 'balance_low')).toEqual([]);
});

describe('its owner is told before the end', () => {
  const told = async (plan: Plan) => {
    await world.platform.queue.runNow('residential.plans-end');
    return (await dataOf(plan, 'ends_soon')).map(({ days, leftBytes }) => [days, leftBytes]);
  };
  const before = (plan: Plan, milliseconds: number) => world.clock.set(after(plan.validUntil as Date, -milliseconds));

  test('7 days and 1 day, once each, with what is left then', async () => {
    const plan = await bought('acct_told_twice');
    before(plan, 7 * DAY + 1);
    expect(await told(plan)).toEqual([]);
    before(plan, 7 * DAY);
    await told(plan);
    expect(await told(plan)).toEqual([[7, (10n * GB).toString()]]);
    await world.use(plan, GB);
    before(plan, DAY);
    await told(plan);
    expect(await told(plan)).toEqual([
      [7, (10n * GB).toString()],
      [1, (9n * GB).toString()],
    ]);
  });

  test('only of the last mark after a standstill, and of none after the end', async () => {
    const [late, over] = [await bought('acct_standstill'), await bought('acct_standstill', 29)];
    before(late, HOUR);
    expect([await told(late), await told(over)]).toEqual([[[1, (10n * GB).toString()]], []]);
  });

  test('not when nothing is left, nor what the order said a moment ago', async () => {
    const [used, brief] = [await bought('acct_nothing_left', 30, GB), await bought('acct_brief', 7)];
    await world.use(used, GB);
    expect(await told(brief)).toEqual([]);
    before(brief, DAY);
    expect(await told(brief)).toEqual([[1, (10n * GB).toString()]]);
    before(used, DAY);
    expect(await told(used)).toEqual([]);
    await topUp(used, 1);
    expect(await told(used)).toEqual([[1, GB.toString()]]);
  });

  test('again when a top-up has moved the end', async () => {
    const plan = await bought('acct_moved');
    before(plan, DAY);
    await told(plan);
    const moved = await topUp(plan, 30);
    expect(await told(plan)).toHaveLength(1);
    before(moved, 7 * DAY);
    expect((await told(plan)).at(-1)).toEqual([7, (11n * GB).toString()]);
  });
});
