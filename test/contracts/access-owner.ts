// An account with one object of each kind, and other viewers who try to reach them.
import { SCOPES, type Scope, type Viewer } from '#platform/identity.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import type { Stack } from '../kit/stack.ts';
import { insertSubscription } from '../kit/subscription.ts';
import type { Thing } from './access-doors.ts';
import { checkoutAt, placeOrder } from '../kit/purchase.ts';
import { addRow, checkoutOf, rowOf, setRows } from '../kit/tables.ts';
import { computeTables } from '../subgraphs/compute/tables.ts';

const ONES = '1'.repeat(26);

export interface Owner {
  id: string;
  things: Record<Thing, string>;
  /** Texts of the owner's objects, which nobody else may read. */
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
  const { query } = database;
  const vps = `vps_${ONES}`;
  await computeTables(query).addServer({ id: vps, accountId: alice.id, subscriptionId, hostname: 'alices-server' });
  await addRow(query, 'compute.backup', {
    id: `bak_${ONES}`,
    server_id: vps,
    operation_id: 'op_of_backup',
    kind: 'MANUAL',
    volume: 'volume-of-alice',
    size_bytes: 1,
    taken_at: 'now',
  });
  await setRows(query, 'accounts.billing_subscription', { synced_version: 1 }, { version: 1 });
  const arrangement = { id: `ask_${ONES}`, account_id: alice.id, kind: 'SLA', terms: 'terms-of-alice', recorded_at: 'now' };
  await addRow(query, 'accounts.arrangement', arrangement);
  const swap = { id: `swap_${ONES}`, plan_id: staticPlan, reason: 'OTHER', asked_by: 'OWNER', created_at: 'now' };
  await addRow(query, 'static.replacement', swap);
  await addRow(query, 'accounts.passkey', {
    id: `pass_${ONES}`,
    account_id: alice.id,
    credential_id: 'alices-credential',
    name: 'Phone',
    public_key: 'x',
    counter: 0,
    transports: '{}',
    created_at: 'now',
  });
  await addPushDevice(query, alice.id);
  await addWebhook(query, alice.id);
  await addTeam(stack, alice.id);
  await addApp(query, { account_id: alice.id, key_id: key.id });
  await addRow(query, 'compute.ssh_key', {
    id: `ssh_${ONES}`,
    account_id: alice.id,
    name: 'laptop-of-alice',
    line: 'x',
    sha256: 'x',
    created_at: 'now',
  });
  const document = { account_id: alice.id, sha256: 'a11ce'.padEnd(64, '0'), name: '', text: '{ me { id } }', registered_at: 'now' };
  await addRow(query, 'accounts.registered_document', document);
  const one = async (table: string) =>
    (await rowOf<{ id: string; username: string }>(query, table, { account_id: alice.id })) ?? { id: '', username: '' };
  const { id: plan, username } = await one('residential.plan');
  const { id: batch = '' } =
    (
      await run(
        'query ($plan: ID!) { residentialProxies(planId: $plan, input: { targeting: { pool: "US" }, session: STICKY, quantity: 1 }) { id } }',
        { plan },
      )
    )['residentialProxies'] ?? {};
  await addRow(query, 'residential.client_network', {
    id: `net_${ONES}`,
    plan_id: plan,
    account_id: alice.id,
    network: '192.0.2.77',
    created_at: 'now',
  });
  await addRow(query, 'static.client_network', {
    id: `net_static_${ONES}`,
    plan_id: staticPlan,
    account_id: alice.id,
    network: '192.0.2.78',
    created_at: 'now',
  });
  const { proxyUsersCreate } = await run('mutation ($plan: ID!) { proxyUsersCreate(planId: $plan, users: [{ name: "Shop" }]) { id } }', {
    plan,
  });
  const { id: session } = await one('accounts.session');
  const { id: invoice } = await one('accounts.invoice');
  const things = {
    account: alice.id,
    apiKey: key.id,
    session,
    request,
    order,
    invoice,
    plan,
    batch,
    proxyUser: (proxyUsersCreate as unknown as { id: string }[])[0]?.id ?? '',
    clientNetwork: `net_${ONES}`,
    staticPlan,
    staticNetwork: `net_static_${ONES}`,
    replacement: `swap_${ONES}`,
    subscription: subscriptionId,
    server: `vps_${ONES}`,
    backup: `bak_${ONES}`,
    passkey: `pass_${ONES}`,
    sshKey: `ssh_${ONES}`,
    card: (cards as { me: { savedCards: { id: string }[] } }).me.savedCards[0]?.id ?? '',
    arrangement: `ask_${ONES}`,
    salesRequest,
    registeredDocument: document.sha256,
    pushDevice: `push_${ONES}`,
    webhook: `hook_${ONES}`,
    connectedApp: `app_${ONES}`,
    webhookEvent: `evt_${ONES}`,
    teamMember: `memb_${ONES}`,
    teamInvitation: `invt_${ONES}`,
  };
  // Jobs must be done before the test compares rows.
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
      (await one('static.plan')).username,
      'alices-server',
      'terms-of-alice',
      'laptop-of-alice',
      'browser-of-alice',
      'colleague-of-alice',
      'invited-by-alice',
      key.key,
    ],
  };
}

/** Adds an app that the owner has let in. */
async function addApp(query: Stack['database']['query'], of: { account_id: string; key_id: string }): Promise<void> {
  const id = `app_${ONES}`;
  const lasts = { created_at: 'now', expires_at: '2099-01-01' };
  const shown = { scopes: '{read}', app_name: 'assistant-of-alice', app_host: '' };
  await addRow(query, 'accounts.oauth_record', { id, kind: 'Grant', payload: '{}', grant_id: id, ...of, ...shown, ...lasts });
}

/** Adds a browser of the owner that shows notifications. */
async function addPushDevice(query: Stack['database']['query'], accountId: string): Promise<void> {
  const device = { id: `push_${ONES}`, account_id: accountId, session_id: `sess_${ONES}`, name: 'browser-of-alice' };
  await addRow(query, 'accounts.push_device', { ...device, endpoint_digest: ONES, sealed: 'x', created_at: 'now' });
}

/** Adds a member to the owner's team, and an invitation into it. */
async function addTeam({ database: { query }, seed }: Stack, accountId: string): Promise<void> {
  const { id: personId } = await seed.account({ email: 'colleague-of-alice@example.com' });
  const member = { id: `memb_${ONES}`, account_id: accountId, person_id: personId, role: 'VIEWER', since: 'now' };
  await addRow(query, 'accounts.team_member', member);
  const invitation = { id: `invt_${ONES}`, account_id: accountId, email: 'invited-by-alice@example.com', role: 'VIEWER' };
  const lasts = { created_at: 'now', expires_at: '2099-01-01' };
  await addRow(query, 'accounts.team_invitation', { ...invitation, token_hash: ONES, invited_by: accountId, ...lasts });
}

/** Adds a webhook endpoint of the owner, and an event that was sent to it. */
async function addWebhook(query: Stack['database']['query'], accountId: string): Promise<void> {
  const webhook = { id: `hook_${ONES}`, account_id: accountId, url: 'https://hooks.example/alices', description: '' };
  await addRow(query, 'accounts.webhook_endpoint', { ...webhook, event_types: '{}', secret_sealed: 'x', created_at: 'now', position: 0 });
  const event = { id: `evt_${ONES}`, account_id: accountId, type: 'residential_plan.paused', at: 'now', subject: 'plan-of-alice' };
  await addRow(query, 'accounts.webhook_event', { ...event, body: '{}' });
}

export const EVERY_SCOPE: readonly Scope[] = SCOPES;

/** Makes the other viewers; `key` is the customer's API key. */
export async function seedStrangers({ seed }: Stack): Promise<Record<'customer' | 'partner' | 'staff', Viewer> & { key: string }> {
  const { id, apiKey } = await seed.account();
  const partner = keyOf(id, EVERY_SCOPE);
  return {
    customer: sessionOf(id),
    partner,
    staff: sessionOf((await seed.account({ role: 'STAFF' })).id, true),
    key: (await apiKey({ scopes: EVERY_SCOPE })).key,
  };
}
