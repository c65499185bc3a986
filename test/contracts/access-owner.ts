// An account with one of everything, and the strangers who try to get at it.
import type { Viewer } from '#platform/identity.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import type { Stack } from '../kit/stack.ts';
import { insertSubscription } from '../kit/subscription.ts';
import type { Thing } from './access-doors.ts';
import { checkoutAt, placeOrder } from '../kit/purchase.ts';
import { checkoutOf } from '../kit/tables.ts';

const ONES = '1'.repeat(26);

export interface Owner {
  id: string;
  things: Record<Thing, string>;
  /** Texts that nobody else may read. */
  markers: string[];
}

export async function seedOwner(stack: Stack): Promise<Owner> {
  const { seed, database, sandbox, server } = stack;
  const alice = await seed.account({ email: 'alice-the-owner@example.com' });
  const viewer = sessionOf(alice.id);
  const run = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await server.gateway.execute(server.gateway.prepare(query), { variables, viewer });
    if (errors) throw new Error(JSON.stringify(errors));
    return data as Record<string, Record<string, string>>;
  };
  const { token } = (await run('{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }'))['residentialOffer'] ?? {};
  const { id: order = '' } = (await run(placeOrder('id'), { offer: token, key: 'alice-buys' }))['orderPlace'] ?? {};
  sandbox.card.payCheckout(await checkoutOf(database.query, order));
  const { url = '' } = (await run('mutation { cardAdd { url } }'))['cardAdd'] ?? {};
  sandbox.card.payCheckout(checkoutAt(url));
  await stack.settle();
  const subscriptionId = `sub_${ONES}`;
  const staticPlan = await createPlan(stack.subgraphs.static.systemContext('test'), {
    orderId: 'ord_static',
    accountId: alice.id,
    productId: 'isp-northline',
    quantity: 1,
    subscriptionId,
  });
  const key = await alice.apiKey();
  await alice.cookie();
  const { id: request = '' } = (await run('mutation { apiKeyRequest(input: { kind: STANDARD }) { id } }'))['apiKeyRequest'] ?? {};
  const { id: salesRequest = '' } =
    (await run('mutation { salesRequestSend(input: { product: "Premium", volume: "5 TB" }) { id } }'))['salesRequestSend'] ?? {};
  const { data: cards } = await server.gateway.execute(server.gateway.prepare('{ me { savedCards { id } } }'), { variables: {}, viewer });
  await insertSubscription(database.query, { id: subscriptionId, accountId: alice.id });
  await database.query(`
    insert into compute.server (id, kind, account_id, order_id, subscription_id, plan_code, status, power_state, hostname, created_at)
      values ('vps_${ONES}', 'VPS', '${alice.id}', 'ord_v', '${subscriptionId}', 'PLANK', 'ACTIVE', 'RUNNING', 'alices-server', now());
    insert into compute.backup (id, server_id, operation_id, kind, volume, size_bytes, taken_at)
      values ('bak_${ONES}', 'vps_${ONES}', 'op_of_backup', 'MANUAL', 'volume-of-alice', 1, now());
    update accounts.billing_subscription set synced_version = version;
    insert into accounts.arrangement (id, account_id, kind, terms, recorded_at) values ('ask_${ONES}', '${alice.id}', 'SLA', 'terms-of-alice', now());
    insert into static.replacement (id, plan_id, reason, asked_by, created_at) values ('swap_${ONES}', '${staticPlan}', 'OTHER', 'OWNER', now());
    insert into accounts.passkey (id, account_id, credential_id, name, public_key, counter, transports, created_at)
      values ('pass_${ONES}', '${alice.id}', 'alices-credential', 'Phone', 'x', 0, '{}', now());
  `);
  const one = async (sql: string) => Object.values((await database.query<Record<string, string>>(sql))[0] ?? {})[0] ?? '';
  const plan = await one(`select id from residential.plan where account_id = '${alice.id}'`);
  const { id: batch = '' } =
    (
      await run(
        'query ($plan: ID!) { residentialProxies(planId: $plan, input: { targeting: { pool: "US" }, session: STICKY, quantity: 1 }) { id } }',
        { plan },
      )
    )['residentialProxies'] ?? {};
  const username = await one(`select username from residential.plan where account_id = '${alice.id}'`);
  const session = await one(`select id from accounts.session where account_id = '${alice.id}'`);
  const invoice = await one(`select id from accounts.invoice where account_id = '${alice.id}'`);
  const things = {
    account: alice.id,
    apiKey: key.id,
    session,
    request,
    order,
    invoice,
    plan,
    batch,
    staticPlan,
    replacement: `swap_${ONES}`,
    subscription: subscriptionId,
    server: `vps_${ONES}`,
    backup: `bak_${ONES}`,
    passkey: `pass_${ONES}`,
    card: (cards as { me: { savedCards: { id: string }[] } }).me.savedCards[0]?.id ?? '',
    arrangement: `ask_${ONES}`,
    salesRequest,
  };
  // What jobs still do with the new things is done before anybody looks at them.
  await stack.settle();
  const missing = Object.entries(things).filter(([, id]) => !id);
  if (missing.length > 0) throw new Error(`The owner lacks ${missing.join(' ')}.`);
  return {
    id: alice.id,
    things: { ...things, product: 'isp-northline', none: 'none_at_all' },
    markers: [
      ...Object.values(things),
      'alice-the-owner',
      username,
      await one(`select username from static.plan where account_id = '${alice.id}'`),
      'alices-server',
      'terms-of-alice',
      key.key,
    ],
  };
}

/** Strangers as viewers; `key` is the customer's. */
export async function seedStrangers({ seed }: Stack): Promise<Record<'customer' | 'partner' | 'staff', Viewer> & { key: string }> {
  const { id, apiKey } = await seed.account();
  const partner = keyOf(id, ['read', 'generate', 'servers', 'billing']);
  return {
    customer: sessionOf(id),
    partner,
    staff: sessionOf((await seed.account({ role: 'STAFF' })).id, true),
    key: (await apiKey()).key,
  };
}
