// The ports and credentials of the sandbox: a contract between the code that starts it and the code that calls it, so it belongs to neither.
import { createHmac } from 'node:crypto';
import type { Sandbox } from './composition.ts';
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';
import type { SandboxAccess } from './vendors.ts';

/** Offsets from SANDBOX_PORT. */
export const SANDBOX_PORTS = {
  card: 0,
  mail: 1,
  smtp: 2,
  network: 3,
  crypto: 4,
  chat: 5,
  hypervisor: 6,
  guests: 7,
  site: 9,
  redfish: 10,
  metalGuests: 11,
  names: 12,
  router: 13,
  vies: 14,
  paypal: 15,
  identity: 16,
  push: 17,
  vienna: 18,
} as const;

/** The only store of its crypto processor. */
export const SANDBOX_STORE = 'SandboxEgressStore1111111111111111111111111';

/** The name under which its proxy network reports usage. */
export const SANDBOX_NETWORK = 'sandbox-network';

type Ports = Record<keyof typeof SANDBOX_PORTS, number>;

export function sandboxTerms({ SANDBOX_PORT }: Pick<Config, 'SANDBOX_PORT'>, { sandbox: secret }: Pick<Secrets, 'sandbox'>) {
  /** Each purpose has its own secret: whoever learns one knows no other. */
  const secretOf = (purpose: string, length = 64) => createHmac('sha256', secret).update(purpose).digest('hex').slice(0, length);
  return {
    ports: Object.fromEntries(Object.entries(SANDBOX_PORTS).map(([name, offset]) => [name, SANDBOX_PORT + offset])) as Ports,
    cardApiKey: `sk_test_${secretOf('card api key', 32)}`,
    webhookSecret: `whsec_${secretOf('card webhooks', 32)}`,
    usageSource: SANDBOX_NETWORK,
    usageSecret: secretOf('usage reports'),
    cryptoStore: SANDBOX_STORE,
    cryptoApiKey: secretOf('crypto api key', 40),
    cryptoWebhookSecret: secretOf('crypto webhooks'),
    paypalClientId: 'egress',
    paypalClientSecret: secretOf('paypal client', 40),
    paypalWebhookId: secretOf('paypal webhook', 17).toUpperCase(),
    hypervisorToken: `egress@pve!platform=${secretOf('hypervisor token', 32)}`,
    hypervisorConsolePassword: secretOf('hypervisor console', 32),
    viennaToken: `egress@pve!platform=${secretOf('second hypervisor token', 32)}`,
    viennaConsolePassword: secretOf('second hypervisor console', 32),
    controllerPassword: secretOf('controllers', 32),
    // Machines that the first release took into stock use it: it is sealed in the database, and without it they could not be controlled.
    formerControllerPassword: secret.slice(6, 38),
    nameServerKey: secretOf('name server key', 32),
    routerKey: secretOf('router key', 32),
    identitySecret: `whsec_${Buffer.from(secretOf('identity checks'), 'hex').toString('base64')}`,
    chatClientId: 'egress',
    chatClientSecret: secretOf('chat client', 32),
  };
}

/** The ports and credentials, looked up by name. */
export function sandboxAccess(config: Pick<Config, 'SANDBOX_PORT'>, secrets: Pick<Secrets, 'sandbox'>): SandboxAccess {
  const { ports, ...accepted } = sandboxTerms(config, secrets);
  const port = (name: string) => entryOf(ports, name);
  return { port, url: (name) => `http://127.0.0.1:${port(name)}`, accepts: (name) => entryOf(accepted, name) };
}

function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  if (value === undefined) throw new Error(`the sandbox has no ${name}`);
  return value;
}

/** The sandbox, for every process that calls it: the whole platform, a single subgraph, a command. */
export const sandbox: Sandbox = { unlessSet: ['SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'], access: sandboxAccess };
