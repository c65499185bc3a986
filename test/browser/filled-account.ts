// An account with data for every page: plans in each state, usage, orders, keys.
import type { Cookie } from 'playwright-core';
import { SECOND } from '#platform/clock.ts';
import { buyDedicated } from '../subgraphs/compute/bought-dedicated.ts';
import { buyVps, passTime } from '../subgraphs/compute/bought-vps.ts';
import { applyPlanEvent } from '../../subgraphs/static/plans/services/apply-plan-event.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { deliverPlan } from '../../subgraphs/static/delivery/services/deliver-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { askAs } from '../kit/dashboard.ts';
import type { Stack } from '../kit/stack.ts';
import { insertSubscription } from '../kit/subscription.ts';
import { placeOrder } from '../kit/purchase.ts';
import { checkoutOf, rowOf, setRows } from '../kit/tables.ts';
import { staticTables } from '../subgraphs/static/tables.ts';

const GB = 1_000_000_000;

export interface FilledAccount {
  accountId: string;
  email: string;
  cookie: Pick<Cookie, 'name' | 'value' | 'domain' | 'path'>;
  active: string;
  paused: string;
  expired: string;
  mobile: string;
  pendingOrder: string;
  cancelledOrder: string;
  /** Delivered, with an invoice. */
  paidOrder: string;
  /** Half of its coins have arrived. */
  cryptoOrder: string;
  transferOrder: string;
  /** Delivered, with history; its subscription is paid. */
  staticPlan: string;
  suspendedStaticPlan: string;
  /** The token of an offer that nobody has ordered. */
  offer: string;
  /** Active, with a backup. */
  vps: string;
  /** Active. */
  dedicated: string;
}

export async function fillAccount(stack: Stack): Promise<FilledAccount> {
  const { seed, sandbox, database, settle, url, clock } = stack;
  const account = await seed.account();
  const session = await account.cookie();

  const ask = askAs(url, session);
  const customer = { accountId: account.id, cookie: session, ask };
  // The dedicated server comes first, as its delivery takes longer than an unpaid order lives.
  const { id: dedicated } = await buyDedicated(stack, customer);

  async function price(gigabytes: number): Promise<string> {
    const { residentialOffer } = await ask<{ residentialOffer: { token: string } }>(
      'query ($gigabytes: Int!) { residentialOffer(product: PREMIUM, gigabytes: $gigabytes) { token } }',
      { gigabytes },
    );
    return residentialOffer.token;
  }
  /** Calls `make` one second later, so that everything has its own time. */
  function next<Made>(make: () => Made): Made {
    clock.advance(SECOND);
    return make();
  }
  async function order(key: string, method = 'CARD', gigabytes = 5): Promise<string> {
    const { orderPlace } = await ask<{ orderPlace: { id: string } }>(placeOrder('id'), { offer: await price(gigabytes), method, key });
    return orderPlace.id;
  }
  const active = await next(() => account.residentialPlan({ gigabytes: 10 }));
  const paused = await next(() => account.residentialPlan({ gigabytes: 10 }));
  const expired = await next(() => account.residentialPlan({ product: 'PRIVATE_RESIDENTIAL', gigabytes: 1 }));
  const mobile = await next(() => account.residentialPlan({ product: 'MOBILE', gigabytes: 5 }));
  await account.apiKey();
  await ask('mutation ($id: ID!) { residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: "1000000000") { id } }', { id: paused.id });
  await sandbox.network.report([
    { username: active.username, upBytes: 0.2 * GB, downBytes: 2 * GB },
    { username: paused.username, upBytes: 0.2 * GB, downBytes: 1 * GB },
    { username: expired.username, upBytes: 0.1 * GB, downBytes: 1 * GB },
  ]);
  const pendingOrder = await next(() => order('the-first-order'));
  const cancelledOrder = await next(() => order('the-second-order'));
  await ask('mutation ($id: ID!) { orderCancel(id: $id) { id } }', { id: cancelledOrder });
  const paidOrder = await next(() => order('the-third-order'));
  await settle();
  await sandbox.card.payCheckout(await checkoutOf(database.query, paidOrder));
  await settle();
  const cryptoOrder = await next(() => order('the-fourth-order', 'CRYPTO'));
  sandbox.crypto.pay(await checkoutOf(database.query, cryptoOrder), { amount: '12.50' });
  await settle();
  const transferOrder = await next(() => order('the-fifth-order', 'BANK_TRANSFER', 200));
  clock.advance(SECOND);
  await ask('mutation ($input: SalesRequestInput!) { salesRequestSend(input: $input) { id } }', {
    input: { product: 'Premium', volume: '20 TB a month', message: 'From May on.' },
  });
  await settle();
  for (const [id, status] of [
    ['sub_active', 'ACTIVE'],
    ['sub_unpaid', 'UNPAID'],
    ['sub_over', 'CANCELED'],
  ] as const)
    await insertSubscription(database.query, { id, accountId: account.id, status });

  const { id: vps } = await buyVps(stack, customer, 'plan: PLANK, months: 1, os: DEBIAN_12, hostname: "web-1", backups: true');
  await ask('mutation ($id: ID!) { vpsTakeBackup(id: $id) { id } }', { id: vps });
  await passTime(stack);

  const statics = await fillStatics(stack, account.id);
  const [name = '', value = ''] = session.split('=');
  return {
    ...statics,
    accountId: account.id,
    email: account.email,
    cookie: { name, value, domain: new URL(url).hostname, path: '/' },
    active: active.id,
    paused: paused.id,
    expired: expired.id,
    mobile: mobile.id,
    pendingOrder,
    cancelledOrder,
    paidOrder,
    cryptoOrder,
    transferOrder,
    offer: await price(12),
    vps,
    dedicated,
  };
}

/** Makes stock and two static plans with subscriptions: one with a label, a failing address and an outage. */
async function fillStatics({ subgraphs, database, clock }: Stack, accountId: string) {
  const ctx = () => subgraphs.static.systemContext('test');
  const lines = Array.from({ length: 12 }, (_, index) => `203.0.113.${index + 1},8000,isp-northline,Frankfurt`);
  await importInventory(ctx(), ['ip,port,product,location', ...lines].join('\n'));
  const deliver = async (subscriptionId: string, quantity: number) => {
    clock.advance(SECOND);
    const id = await createPlan(ctx(), {
      orderId: `ord_of_${subscriptionId}`,
      accountId,
      subscriptionId,
      productId: 'isp-northline',
      quantity,
    });
    await deliverPlan(ctx(), id);
    return id;
  };
  const staticPlan = await deliver('sub_active', 4);
  const suspendedStaticPlan = await deliver('sub_unpaid', 2);
  await applyPlanEvent(ctx(), suspendedStaticPlan, 'retries_exhausted');
  await staticTables(database.query).addHistory(staticPlan, clock.now());
  return { staticPlan, suspendedStaticPlan };
}

/** The session of a member of support that has passed a second factor. */
export async function staffCookie({ seed, database, url }: Stack): Promise<FilledAccount['cookie']> {
  const staff = await seed.account({ role: 'STAFF' });
  const [name = '', value = ''] = (await staff.cookie()).split('=');
  const { created_at: at } = (await rowOf<{ created_at: Date }>(database.query, 'accounts.session', { account_id: staff.id })) ?? {};
  await setRows(database.query, 'accounts.session', { strong_at: at }, { account_id: staff.id });
  return { name, value, domain: new URL(url).hostname, path: '/' };
}
