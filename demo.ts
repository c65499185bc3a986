// Demo data for an empty platform with the sandbox: accounts, one plan of each residential product with 90 days of usage, static addresses and a plan with some
// of them, servers' machines and a second cluster, an API key.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Egress } from './egress.ts';
import { type DemoPerson, seedAccount, seedApiKey, seedEnrolment } from './subgraphs/accounts/seed.ts';
import { addCluster } from './subgraphs/compute/machines/services/clusters.ts';
import { placeOrder } from './subgraphs/accounts/billing/checkout/services/place-order.ts';
import { importMachines } from './subgraphs/compute/machines/services/machine-inventory.ts';
import { seedResidential } from './subgraphs/residential/seed.ts';
import type { Config } from '#platform/config.ts';
import type { Viewer } from '#platform/identity.ts';
import { signOffer } from '#commerce/offers.ts';
import { seedStatic } from './subgraphs/static/seed.ts';
import { pricePlan } from './subgraphs/static/plans/services/price-plan.ts';

/** Each installation gets its own passwords: a published one would open every reachable copy. */
const person = (email: string, role: DemoPerson['role']): DemoPerson => ({ email, role, password: randomBytes(9).toString('base64url') });

/** A machine without a remote controller, for the support desk's manual delivery. */
const BY_HAND = { name: 'curie-by-hand', plan: 'CURIE', ip: '127.81.0.90', prefixLength: 16, gateway: '127.81.0.1' };

/** The second cluster of the demo, so that customers have a location to choose. */
const VIENNA = { location: 'Vienna', addresses: '127.82.0.10-127.82.3.250/16', gateway: '127.82.0.1' };

interface DemoAccounts {
  customer: DemoPerson;
  support: DemoPerson;
  apiKey: string;
  planId: string;
}

export interface Demo extends DemoAccounts {
  /** With this link support sets up its second factor; absent once that is done. */
  supportLink: string | undefined;
}

/** The demo's data at this start. */
export async function seedDemo(egress: Egress, config: Config): Promise<Demo | undefined> {
  const accounts = await seedOnce(egress, config);
  return (
    accounts && { ...accounts, supportLink: await seedEnrolment(egress.subgraphs.accounts.systemContext('demo'), accounts.support.email) }
  );
}

/** Seeds once; later starts read the file beside the data. Only the demo stores passwords and a key in a file. */
async function seedOnce(egress: Egress, config: Config): Promise<DemoAccounts | undefined> {
  const { subgraphs, platform, sandbox } = egress;
  const file = join(config.DATA_DIR, 'demo.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoAccounts;
  const people = subgraphs.accounts.systemContext('demo');
  const customer = person('demo@egress.example', 'CUSTOMER');
  const support = person('desk@egress.example', 'STAFF');
  const accountId = await seedAccount(people, customer);
  if (!accountId) return undefined;
  await seedAccount(subgraphs.accounts.systemContext('demo'), support);
  const [planId = ''] = await seedResidential(subgraphs.residential.systemContext('demo'), { accountId, now: platform.clock.now() });
  if (sandbox) await importMachines(subgraphs.compute.systemContext('demo'), [...sandbox.controllers.inventory, BY_HAND]);
  if (sandbox) await addCluster(subgraphs.compute.systemContext('demo'), 'vienna', { ...sandbox.vienna.terms, ...VIENNA });
  await seedStatic(subgraphs.static.systemContext('demo'));
  await buyStaticPlan(egress, accountId);
  const apiKey = await seedApiKey(subgraphs.accounts.systemContext('demo'), accountId);
  const demo: DemoAccounts = { customer, support, apiKey, planId };
  writeFileSync(file, JSON.stringify(demo, undefined, 2), { mode: 0o600 });
  return demo;
}

/** Buys a plan as any customer would, with the sandbox's card, so that it has an order, an invoice and a subscription. */
async function buyStaticPlan({ subgraphs, platform, sandbox }: Egress, accountId: string): Promise<void> {
  if (!sandbox) return;
  const viewer: Viewer = { kind: 'session', accountId, sessionId: 'demo', staff: false, address: '127.0.0.1', requestId: 'demo' };
  const terms = await pricePlan(subgraphs.static.context(viewer), { productId: 'isp-northline', quantity: 5 });
  const offer = signOffer(terms, platform.secrets.offers);
  const order = await placeOrder(subgraphs.accounts.context(viewer), {
    offer,
    method: 'CARD',
    idempotencyKey: 'the-static-plan-of-the-demo',
  });
  if (order.checkoutId) sandbox.card.payCheckout(order.checkoutId);
  // The payment's webhook, the delivery, and the event about it: the printed start page shows a line of this plan.
  for (let round = 0; round < 3; round++) {
    await sandbox.card.idle();
    await platform.queue.drain();
    for (const { reader } of Object.values(subgraphs)) await reader.drain();
  }
}
