import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { startSelling } from '../selling-world.ts';

const { world, ask, offer, available } = await startSelling();

describe('an offer', () => {
  test('is the price of the quantity with the tax of the account, for a month, and says what a renewal costs', async () => {
    await world.stock('isp-northline', 10, '10.1');
    await world.tell({ type: 'billing_details.changed', accountId: 'acct_de', subject: 'acct_de', data: { country: 'DE' } });
    expect(await offer('acct_de', 'isp-northline', 3)).toMatchObject({
      title: 'ISP Northline, 3 addresses',
      subtotal: { amountMinor: 720 },
      tax: { amountMinor: 137 },
      total: { amountMinor: 857 },
      renewal: { months: 1, total: { amountMinor: 857 } },
      expiresAt: new Date(world.platform.clock.now().getTime() + 15 * MINUTE).toISOString(),
    });
    world.platform.clock.advance(HOUR);
  });

  test('holds no stock, and is refused when there is too little', async () => {
    for (const accountId of ['acct_1', 'acct_2', 'acct_3']) expect((await offer(accountId, 'isp-northline', 10)).code).toBeUndefined();
    expect((await available('isp-northline')).available).toBe(10);
    expect(await world.tables.holds()).toEqual([]);
    const refused = await offer('acct_2', 'isp-northline', 11);
    expect([refused.code, refused.message]).toEqual(['out_of_stock', 'Only 10 of these addresses are free at the moment.']);
  });

  test.each([
    ['isp-northline', 0, 'quantity_invalid'],
    ['isp-northline', -5, 'quantity_invalid'],
    ['isp-northline', 1_001, 'quantity_invalid'],
    ['no-such-product', 1, 'parameter_invalid'],
    ['isp-cascade', 1, 'out_of_stock'],
  ])('of %s x %i is refused with %s, and holds nothing', async (productId, quantity, code) => {
    expect((await offer('acct_1', productId, quantity)).code).toBe(code);
    expect(await world.tables.holds()).toEqual([]);
  });

  test("of support has support's price and no stock is held for it", async () => {
    const query =
      'mutation ($validDays: Int!) { supportStaticOffer(accountId: "acct_big", productId: "datacenter", quantity: 20000, perAddressMinor: 80, validDays: $validDays) { token total { amountMinor } expiresAt } }';
    const { data } = await ask('acct_staff', query, { validDays: 30 }, true);
    expect(data.supportStaticOffer).toMatchObject({
      total: { amountMinor: 1_600_000 },
      expiresAt: new Date(world.platform.clock.now().getTime() + 30 * DAY).toISOString(),
    });
    const terms = world.open(data.supportStaticOffer.token, 'acct_big');
    // Accounts accepts only offers marked `custom` for an arrangement.
    expect(terms).toMatchObject({ custom: true, fulfil: { unitMinor: 80 } });
    expect(terms.holdsStock).toBeUndefined();
    expect((await ask('acct_staff', query, { validDays: 31 }, true)).code).toBe('parameter_invalid');
    expect((await ask('acct_big', query, { validDays: 3 })).code).toBe('forbidden');
    // No member of staff makes an offer for their own account.
    expect((await ask('acct_big', query, { validDays: 3 }, true)).code).toBe('own_account_refused');
  });
});
