// What the sandbox listens on and accepts; the same for whoever starts it and whoever calls it.
import type { Config } from '#platform/config.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { SandboxAccess } from '#platform/vendors.ts';

/** Counted from SANDBOX_PORT. */
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
} as const;

/** The one store of its crypto processor. */
export const SANDBOX_STORE = 'SandboxEgressStore1111111111111111111111111';

/** The name under which its proxy network reports usage. */
export const SANDBOX_NETWORK = 'sandbox-network';

type Ports = Record<keyof typeof SANDBOX_PORTS, number>;

export const sandboxTerms = ({ SANDBOX_PORT }: Pick<Config, 'SANDBOX_PORT'>, secrets: Pick<Secrets, 'sandbox'>) => ({
  ports: Object.fromEntries(Object.entries(SANDBOX_PORTS).map(([name, offset]) => [name, SANDBOX_PORT + offset])) as Ports,
  cardApiKey: `sk_test_${secrets.sandbox.slice(0, 32)}`,
  webhookSecret: `whsec_${secrets.sandbox.slice(32)}`,
  usageSource: SANDBOX_NETWORK,
  usageSecret: secrets.sandbox,
  cryptoStore: SANDBOX_STORE,
  cryptoApiKey: secrets.sandbox.slice(2, 42),
  cryptoWebhookSecret: secrets.sandbox.slice(16),
  hypervisorToken: `egress@pve!platform=${secrets.sandbox.slice(4, 36)}`,
  controllerPassword: secrets.sandbox.slice(6, 38),
  nameServerKey: secrets.sandbox.slice(10, 42),
  routerKey: secrets.sandbox.slice(12, 44),
  chatClientId: 'egress',
  chatClientSecret: secrets.sandbox.slice(8, 40),
});

/** What rooms ask for by its name. */
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
