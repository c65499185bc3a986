// The outside world for development and tests: all vendors that the product uses, each with its real protocol, so that the product needs no code for the sandbox.
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { startCardProcessor } from './card/processor.ts';
import type { CardProcessor } from './card/processor.ts';
import { startChatPlatform } from './chat/platform.ts';
import type { ChatPlatform } from './chat/platform.ts';
import type { Retry } from './sender.ts';
import { startCryptoProcessor } from './crypto/processor.ts';
import type { CryptoProcessor } from './crypto/processor.ts';
import { createRandom } from './random.ts';
import { mainTerms, viennaTerms } from './hypervisor/clusters.ts';
import { startHypervisor } from './hypervisor/hypervisor.ts';
import type { SandboxHypervisor } from './hypervisor/hypervisor.ts';
import { startIdentityChecker } from './identity/checker.ts';
import type { IdentityChecker } from './identity/checker.ts';
import { startMailBox } from './mail/mail-box.ts';
import type { MailBox } from './mail/mail-box.ts';
import { startNameServer } from './names/name-server.ts';
import type { SandboxNameServer } from './names/name-server.ts';
import { startProxyNetwork } from './network/proxy-network.ts';
import type { ProxyNetwork } from './network/proxy-network.ts';
import { startControllers } from './redfish/controllers.ts';
import type { SandboxControllers } from './redfish/controllers.ts';
import { startPayPal } from './paypal/processor.ts';
import type { PayPal } from './paypal/processor.ts';
import { startPushService } from './push/service.ts';
import type { SandboxPushService } from './push/service.ts';
import { startRouter } from './router/router.ts';
import type { SandboxRouter } from './router/router.ts';
import { startVatRegister } from './vies/register.ts';
import type { SandboxVatRegister } from './vies/register.ts';

export interface SandboxOptions {
  /** 127.0.0.1 by default. */
  host?: string;
  /** 0, the default, takes a free port. */
  ports?: {
    card?: number;
    mail?: number;
    smtp?: number;
    network?: number;
    chat?: number;
    crypto?: number;
    hypervisor?: number;
    guests?: number;
    redfish?: number;
    metalGuests?: number;
    names?: number;
    router?: number;
    vies?: number;
    paypal?: number;
    identity?: number;
    push?: number;
    vienna?: number;
  };
  /** The directory for the vendors' state; without it the state is kept only in memory. */
  dataDir?: string;
  clock?: Clock;
  /** The product's URL; a function is called for each delivery, since the sandbox starts first. */
  egressUrl: string | (() => string);
  /** The secret that signs the card processor's webhooks. */
  webhookSecret: string;
  /** The only secret key that the card processor accepts. */
  cardApiKey: string;
  /** The only client of the chat platform. */
  chatClientId?: string;
  chatClientSecret?: string;
  /** The secret that signs the proxy network's usage reports. */
  usageSecret: string;
  /** The only token that the crypto processor accepts. */
  cryptoApiKey?: string;
  /** The secret that signs the crypto processor's webhooks. */
  cryptoWebhookSecret?: string;
  /** The only client of PayPal, and its webhook. */
  paypalClientId?: string;
  paypalClientSecret?: string;
  paypalWebhookId?: string;
  /** The secret that signs links to the identity checks, and their notices. */
  identitySecret?: string;
  /** The only token that the hypervisor accepts: `user@realm!name=secret`. */
  hypervisorToken?: string;
  /** The password of the one user that may open its text consoles. */
  hypervisorConsolePassword?: string;
  /** The same of the second hypervisor, a cluster of its own. */
  viennaToken?: string;
  viennaConsolePassword?: string;
  /** The path of QEMU, for a node of the hypervisor with real virtual machines; without it there is no such node. */
  qemu?: string | undefined;
  /** The password of all controllers of dedicated machines. */
  controllerPassword?: string;
  /** An earlier password, which they accept too. */
  formerControllerPassword?: string;
  /** The only key that the name server accepts. */
  nameServerKey?: string;
  /** The only key that the router accepts. */
  routerKey?: string;
  /** Determines which deliveries the faults hit; the same seed gives the same ones. */
  seed?: number;
  /** How webhooks and reports are repeated. */
  retry?: Retry;
}

export interface Sandbox {
  card: CardProcessor;
  mail: MailBox;
  network: ProxyNetwork;
  chat: ChatPlatform;
  crypto: CryptoProcessor;
  hypervisor: SandboxHypervisor;
  /** A second cluster, elsewhere: the operator has to add it. */
  vienna: SandboxHypervisor;
  controllers: SandboxControllers;
  names: SandboxNameServer;
  router: SandboxRouter;
  vies: SandboxVatRegister;
  paypal: PayPal;
  identity: IdentityChecker;
  push: SandboxPushService;
  urls: {
    card: string;
    mail: string;
    smtp: string;
    network: string;
    chat: string;
    crypto: string;
    hypervisor: string;
    redfish: string;
    names: string;
    router: string;
    vies: string;
    paypal: string;
    identity: string;
    push: string;
    vienna: string;
  };
  close(): Promise<void>;
}

/** About ten minutes of retries; the real processor retries for days, for which no test can wait. */
const RETRY: Retry = { firstMs: 250, maxMs: 60_000, attempts: 18 };

/** Starts all vendors. Throws with NODE_ENV=production, where money and mail are real. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error('The sandbox does not start with NODE_ENV=production: configure the real card processor and mail server instead.');
  }
  const urls: Partial<Sandbox['urls']> = {};
  const started: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((vendor) => vendor.close()));
  };
  try {
    const vendors = await startVendors(options, urls as Sandbox['urls'], async (starting) => {
      const vendor = await starting;
      started.push(vendor);
      return vendor;
    });
    return { ...vendors, urls: Object.assign(urls, urlsOf(vendors)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Vendors = Omit<Sandbox, 'urls' | 'close'>;
type Start = <Vendor extends { close(): Promise<void> }>(starting: Promise<Vendor>) => Promise<Vendor>;

const paypalTerms = ({ paypalClientId, paypalClientSecret, paypalWebhookId, ports, seed = 1 }: SandboxOptions) => ({
  port: ports?.paypal ?? 0,
  random: createRandom(seed + 5),
  clientId: paypalClientId ?? 'sandbox_paypal_client',
  clientSecret: paypalClientSecret ?? 'sandbox_paypal_secret',
  webhookId: paypalWebhookId ?? 'SANDBOXWEBHOOK001',
});

const identityTerms = ({ identitySecret, ports, seed = 1 }: SandboxOptions, at: (path: string) => () => string) => ({
  port: ports?.identity ?? 0,
  random: createRandom(seed + 6),
  secret: identitySecret ?? 'whsec_c2FuZGJveCBpZGVudGl0eSBzZWNyZXQ=',
  noticeUrl: at('/identity/notices'),
});

/** Starts the vendors one after the other. `urls` is complete when all have started; their pages link to each other. */
async function startVendors(options: SandboxOptions, urls: Sandbox['urls'], start: Start): Promise<Vendors> {
  const { egressUrl, ports = {}, clock = systemClock, seed = 1 } = options;
  const at = (path: string) => (): string => new URL(path, typeof egressUrl === 'string' ? egressUrl : egressUrl()).href;
  const dataDir = options.dataDir === undefined ? undefined : join(options.dataDir, 'sandbox');
  const shared = { host: options.host ?? '127.0.0.1', dataDir, clock, retry: options.retry ?? RETRY, vendors: () => urls };
  const mail = await start(startMailBox({ ...shared, port: ports.mail ?? 0, smtpPort: ports.smtp ?? 0 }));
  const card = await start(
    startCardProcessor({
      ...shared,
      port: ports.card ?? 0,
      random: createRandom(seed),
      apiKey: options.cardApiKey,
      webhookSecret: options.webhookSecret,
      webhookUrl: at('/webhooks/card'),
    }),
  );
  const network = await start(
    startProxyNetwork({
      ...shared,
      port: ports.network ?? 0,
      random: createRandom(seed + 1),
      usageSecret: options.usageSecret,
      reportUrl: at('/usage-reports'),
    }),
  );
  const chat = await start(
    startChatPlatform({
      ...shared,
      port: ports.chat ?? 0,
      clientId: options.chatClientId ?? 'sandbox_client',
      clientSecret: options.chatClientSecret ?? 'sandbox_client_secret',
    }),
  );
  const crypto = await start(
    startCryptoProcessor({
      ...shared,
      port: ports.crypto ?? 0,
      random: createRandom(seed + 2),
      apiKey: options.cryptoApiKey ?? 'sandbox_crypto_token',
      webhookSecret: options.cryptoWebhookSecret ?? 'sandbox_crypto_webhook_secret',
      webhookUrl: at('/webhooks/crypto'),
    }),
  );
  const hypervisor = await start(
    startHypervisor({
      ...shared,
      port: ports.hypervisor ?? 0,
      guestPort: ports.guests ?? 0,
      ...mainTerms(options),
    }),
  );
  const vienna = await start(
    startHypervisor({ ...shared, port: ports.vienna ?? 0, guestPort: hypervisor.guestPort, ...viennaTerms(options, dataDir) }),
  );
  const controllers = await start(
    startControllers({
      ...shared,
      port: ports.redfish ?? 0,
      guestPort: ports.metalGuests ?? 0,
      random: createRandom(seed + 4),
      password: options.controllerPassword ?? 'sandbox_controller_password',
      formerPassword: options.formerControllerPassword,
    }),
  );
  const names = await start(
    startNameServer({ ...shared, port: ports.names ?? 0, apiKey: options.nameServerKey ?? 'sandbox_name_server_key' }),
  );
  const router = await start(startRouter({ ...shared, port: ports.router ?? 0, key: options.routerKey ?? 'sandbox_router_key' }));
  const vies = await start(startVatRegister({ ...shared, port: ports.vies ?? 0 }));
  const paypal = await start(startPayPal({ ...shared, ...paypalTerms(options), webhookUrl: at('/webhooks/paypal') }));
  const identity = await start(startIdentityChecker({ ...shared, ...identityTerms(options, at) }));
  const push = await start(startPushService({ ...shared, port: ports.push ?? 0 }));
  return { card, mail, network, chat, crypto, hypervisor, controllers, names, router, vies, paypal, identity, push, vienna };
}

const urlsOf = ({
  card,
  mail,
  network,
  chat,
  crypto,
  hypervisor,
  controllers,
  names,
  router,
  vies,
  paypal,
  identity,
  push,
  vienna,
}: Vendors): Sandbox['urls'] => ({
  card: card.url,
  mail: mail.url,
  smtp: mail.smtpUrl,
  network: network.url,
  chat: chat.url,
  crypto: crypto.url,
  hypervisor: hypervisor.url,
  redfish: controllers.url,
  names: names.url,
  router: router.url,
  vies: vies.url,
  paypal: paypal.url,
  identity: identity.url,
  push: push.url,
  vienna: vienna.url,
});
