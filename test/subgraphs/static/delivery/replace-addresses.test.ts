// How addresses that do not work, or that an owner does not want, are replaced.
import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { beginTransaction } from '../../../kit/database.ts';
import { waiters } from '../../../kit/locks.ts';
import { startHealth } from '../health-world.ts';
import { staticTables } from '../tables.ts';

const { world, plan, check, broken } = await startHealth();

describe('an exchange', () => {
  const PREPARE = /* GraphQL */ `
    mutation ($id: ID!, $addresses: [String!]!, $reason: StaticReplacementReason!) {
      staticPlanReplacementPrepare(id: $id, addresses: $addresses, reason: $reason) {
        id
        counted
        expiresAt
        doneAt
        pairs {
          gone
          came
          location
        }
      }
    }
  `;
  const CONFIRM = 'mutation ($swap: ID!) { staticPlanReplacementConfirm(id: $swap) { doneAt pairs { gone came } } }';

  test('is previewed with the exact new address; then it is done, once, and the label is kept', async () => {
    const mine = await plan(5, 2);
    const ips: string[] = (await mine.read('lines { ip }')).lines.map(({ ip }: { ip: string }) => ip);
    await mine.ask('mutation ($id: ID!, $ip: String!) { staticPlanSetLabel(id: $id, ip: $ip, label: "Shop") { id } }', { ip: ips[1] });
    const { data } = await mine.ask(PREPARE, { addresses: [ips[1]], reason: 'BLOCKED' });
    const { id: swap, pairs, counted, doneAt } = data.staticPlanReplacementPrepare;
    expect({ counted, doneAt }).toEqual({ counted: 1, doneAt: null });
    expect(pairs).toEqual([{ gone: ips[1], came: expect.stringMatching(/^10\./), location: 'Frankfurt' }]);
    expect(await mine.read('lines { ip } replacements { id }')).toMatchObject({ lines: ips.map((ip) => ({ ip })), replacements: [] });
    expect((await mine.ask(CONFIRM, { swap }, 'acct_stranger')).code).toBe('plan_not_found');
    const done = await mine.ask(CONFIRM, { swap });
    expect(done.data.staticPlanReplacementConfirm.pairs).toEqual([{ gone: ips[1], came: pairs[0].came }]);
    await mine.ask(CONFIRM, { swap });
    const after = await mine.read(
      'quantity lines { ip label } replacements { id reason askedBy } replacementAllowance { allowed used left }',
    );
    expect(after.lines.map(({ ip }: { ip: string }) => ip).toSorted()).toEqual(
      [...ips.filter((ip) => ip !== ips[1]), pairs[0].came].toSorted(),
    );
    expect(after.lines.find(({ ip }: { ip: string }) => ip === pairs[0].came).label).toBe('Shop');
    expect(after).toMatchObject({
      quantity: 5,
      replacements: [{ id: swap, reason: 'BLOCKED', askedBy: 'OWNER' }],
      replacementAllowance: { allowed: 1, used: 1, left: 0 },
    });
  });

  test('counts against a monthly allowance, and not when the address fails its checks', async () => {
    const mine = await plan(2, 3);
    await check(0);
    const [one, two] = (await mine.read('lines { ip }')).lines.map(({ ip }: { ip: string }) => ip);
    expect((await mine.ask(PREPARE, { addresses: [one, two], reason: 'OTHER' })).code).toBe('replacements_used_up');
    expect((await mine.ask(PREPARE, { addresses: [one], reason: 'FAILING' })).code).toBe('parameter_invalid');
    broken.set(two, { ok: false, problem: 'UNREACHABLE' });
    await check(10);
    const first = await mine.ask(PREPARE, { addresses: [one], reason: 'SLOW' });
    await mine.ask(CONFIRM, { swap: first.data.staticPlanReplacementPrepare.id });
    const failing = await mine.ask(PREPARE, { addresses: [two], reason: 'FAILING' });
    await mine.ask(CONFIRM, { swap: failing.data.staticPlanReplacementPrepare.id });
    expect((await mine.read('replacementAllowance { used left }')).replacementAllowance).toEqual({ used: 1, left: 0 });
    expect(await world.tables.notesOfReserved(two)).toEqual([{ note: 'Failed its checks, and was replaced.' }]);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    expect((await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' })).code).toBe('replacements_used_up');
    world.platform.clock.advance(31 * DAY);
    expect((await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' })).code).toBeUndefined();
  });

  test('whose preview has expired is not done, and its address is free again', async () => {
    const mine = await plan(1, 1);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    const { data } = await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' });
    world.platform.clock.advance(15 * MINUTE);
    expect((await mine.ask(CONFIRM, { swap: data.staticPlanReplacementPrepare.id })).code).toBe('replacement_expired');
    const again = await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' });
    expect(again.data.staticPlanReplacementPrepare.pairs[0].came).toBe(data.staticPlanReplacementPrepare.pairs[0].came);
    expect((await mine.ask(PREPARE, { addresses: [ip, '192.0.2.1'], reason: 'OTHER' })).code).toBe('parameter_invalid');
  });

  test('whose new address is sold to another meanwhile is not done, and the plan keeps its address', async () => {
    const mine = await plan(1, 1);
    const before = await mine.read('lines { ip }');
    const { data } = await mine.ask(PREPARE, { addresses: [before.lines[0].ip], reason: 'OTHER' });
    const { id: swap, pairs } = data.staticPlanReplacementPrepare;
    const other = await world.plan('acct_other', 'isp-northline', 1);
    const buyer = await beginTransaction(world.platform.database.url);
    onTestFinished(() => buyer.close());
    await staticTables(buyer.query).giveTo(other, pairs[0].came);
    const confirmed = mine.ask(CONFIRM, { swap });
    await expect.poll(() => waiters(world.query, 'where hold_id', buyer.pid)).toHaveLength(1);
    await buyer.commit();
    expect((await confirmed).code).toBe('replacement_expired');
    expect(await mine.read('lines { ip }')).toEqual(before);
  });

  test('needs stock', async () => {
    const mine = await plan(1, 0);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    expect((await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' })).code).toBe('out_of_stock');
  });

  test('is automatic after half an hour of failures if the owner has enabled it', async () => {
    const [mine, other] = [await plan(1), await plan(1)];
    await world.stock('isp-northline', 2, '11.1');
    await mine.ask('mutation ($id: ID!) { staticPlanSetAutoReplace(id: $id, autoReplace: true) { autoReplace } }');
    await check(0);
    const gone: string[] = [];
    for (const { read } of [mine, other]) gone.push((await read('lines { ip }')).lines[0].ip);
    for (const ip of gone) broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
    for (const minutes of [10, 1, 1, 27]) await check(minutes);
    expect((await mine.read('lines { ip }')).lines[0].ip).toBe(gone[0]);
    await check(1);
    const now = await mine.read('lines { ip } replacements { askedBy reason counted } outages { endedAt }');
    expect(now.lines[0].ip).not.toBe(gone[0]);
    expect(now).toMatchObject({ replacements: [{ askedBy: 'PLATFORM', reason: 'FAILING', counted: 0 }] });
    expect(now.outages[0].endedAt).not.toBeNull();
    expect((await other.read('lines { ip }')).lines[0].ip).toBe(gone[1]);
  });
});
