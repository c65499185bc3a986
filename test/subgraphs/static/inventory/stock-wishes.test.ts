import { describe, expect, test } from 'vitest';
import { startSelling } from '../selling-world.ts';

const { world, ask, available } = await startSelling();

describe('"tell me when"', () => {
  test('notifies once, when there is enough stock, and is listed until then', async () => {
    const watch = 'mutation ($quantity: Int!) { staticStockWatch(productId: "datacenter", quantity: $quantity) { watchedQuantity } }';
    expect((await ask('acct_w', watch, { quantity: 4 })).data.staticStockWatch.watchedQuantity).toBe(4);
    await world.stock('datacenter', 3, '10.9');
    await world.platform.queue.runNow('static.stock-sweep');
    expect((await available('datacenter', 'acct_w')).watchedQuantity).toBe(4);
    await world.stock('datacenter', 2, '10.10');
    await world.platform.queue.runNow('static.stock-sweep');
    await world.platform.queue.runNow('static.stock-sweep');
    const told = await world.tables.wishesNotified();
    expect(told).toEqual([{ account_id: 'acct_w', data: { title: 'Datacenter', quantity: 4 } }]);
    expect((await available('datacenter', 'acct_w')).watchedQuantity).toBeNull();
  });

  test('can be cancelled', async () => {
    await ask('acct_w', 'mutation { staticStockWatch(productId: "isp-bluewire", quantity: 900) { id } }');
    expect((await available('isp-bluewire', 'acct_w')).watchedQuantity).toBe(900);
    await ask('acct_w', 'mutation { staticStockUnwatch(productId: "isp-bluewire") { id } }');
    expect((await available('isp-bluewire', 'acct_w')).watchedQuantity).toBeNull();
    expect((await available('isp-bluewire', 'acct_other')).watchedQuantity).toBeNull();
  });
});
