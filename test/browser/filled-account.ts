// An account with something on every page: plans in each state, use, orders, keys.
import type { Cookie } from 'playwright-core';
import type { Stack } from '../kit/stack.ts';

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
}

export async function fillAccount({ seed, sandbox, database, settle, url }: Stack): Promise<FilledAccount> {
  const account = await seed.account();
  const session = await account.cookie();

  /** As the dashboard asks: with the session, from its own origin. */
  async function ask<Data>(query: string, variables: object): Promise<Data> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: session, origin: url },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
    return data;
  }

  async function order(key: string): Promise<string> {
    const { residentialOffer } = await ask<{ residentialOffer: { token: string } }>(
      '{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }',
      {},
    );
    const { orderPlace } = await ask<{ orderPlace: { id: string } }>(
      'mutation ($offer: String!, $key: String!) { orderPlace(offer: $offer, method: CARD, idempotencyKey: $key) { id } }',
      {
        offer: residentialOffer.token,
        key,
      },
    );
    return orderPlace.id;
  }

  const active = await account.residentialPlan({ gigabytes: 10 });
  const paused = await account.residentialPlan({ gigabytes: 10 });
  const expired = await account.residentialPlan({ product: 'PRIVATE_RESIDENTIAL', gigabytes: 1 });
  const mobile = await account.residentialPlan({ product: 'MOBILE', gigabytes: 5 });
  await account.apiKey();
  await ask('mutation ($id: ID!) { residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: "1000000000") { id } }', { id: paused.id });
  await sandbox.network.report([
    { username: active.username, upBytes: 0.2 * GB, downBytes: 2 * GB },
    { username: paused.username, upBytes: 0.2 * GB, downBytes: 1 * GB },
    { username: expired.username, upBytes: 0.1 * GB, downBytes: 1 * GB },
  ]);
  const pendingOrder = await order('the-first-order');
  const cancelledOrder = await order('the-second-order');
  await ask('mutation ($id: ID!) { orderCancel(id: $id) { id } }', { id: cancelledOrder });
  const paidOrder = await order('the-third-order');
  await settle();
  const [checkout] = await database.query<{ checkout_id: string }>('select checkout_id from accounts.customer_order where id = $1', [
    paidOrder,
  ]);
  await sandbox.card.payCheckout(checkout?.checkout_id ?? '');
  await settle();

  const [name = '', value = ''] = session.split('=');
  return {
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
  };
}

/** The session of a member of support that has passed a second factor. */
export async function staffCookie({ seed, database, url }: Stack): Promise<FilledAccount['cookie']> {
  const staff = await seed.account({ role: 'STAFF' });
  const [name = '', value = ''] = (await staff.cookie()).split('=');
  await database.query(`update accounts.session set strong_at = created_at where account_id = $1`, [staff.id]);
  return { name, value, domain: new URL(url).hostname, path: '/' };
}
