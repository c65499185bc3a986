// Where outside systems answer: the vendors themselves where their credentials are configured, else the sandbox on its fixed ports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { ownUrl } from './own-address.ts';
import type { Secrets } from './secrets.ts';

export interface Vendors {
  /** `apiUrl` absent: the vendor's own address. Webhook secrets: current, previous. `timeoutMs`: of one try; absent: 4.5 s. */
  card: { secretKey: string; webhookSecrets: readonly string[]; apiUrl?: string; timeoutMs?: number };
  smtpUrl: string;
  /** How long each step of SMTP may take; absent: 5 s, and 10 s for what a whole mail is answered with. */
  smtpTimeoutMs?: number;
  /** Absent: nobody pays with cryptocurrency. */
  crypto?: CryptoTerms;
  /** Absent: nobody signs in by chat. */
  chat?: ChatTerms;
  /** Absent: no servers are sold. */
  hypervisor?: HypervisorTerms;
  /** A page that answers with its visitor's address, to check static addresses through; absent: nothing is checked. */
  visitorUrl?: string;
  /** Absent: dedicated servers are delivered by hand. */
  metal?: MetalTerms;
  /** Absent: addresses of servers have no names. */
  names?: NameServerTerms;
  /** Absent: dedicated servers have no firewall of ours. */
  border?: RouterTerms;
}

/** What controllers of dedicated servers are given to boot. */
export interface MetalTerms {
  /** Where installers are: `<imagesUrl>/debian-13.iso`. */
  imagesUrl: string;
  /** Our own address, as controllers reach it. */
  seedsUrl: string;
  /** Certificates of the authorities that controllers' own are signed by, as PEM. */
  authorities?: string;
  /** Where a server answers once it is up; absent: 22, and 3389 on Windows. */
  reachPort?: number;
  /** How long an answer may take; absent: 20 s. */
  timeoutMs?: number;
}

/** A PowerDNS Authoritative Server that has the reverse zones. */
export interface NameServerTerms {
  url: string;
  apiKey: string;
  /** As the API calls it: `localhost`. */
  serverId: string;
  timeoutMs?: number;
}

/** A VyOS router in front of dedicated servers. */
export interface RouterTerms {
  url: string;
  key: string;
  /** How long an answer may take; absent: 20 s. */
  timeoutMs?: number;
}

/** A store of a BTCPay Server. Webhook secrets: current, previous. */
export interface CryptoTerms {
  url: string;
  storeId: string;
  apiKey: string;
  webhookSecrets: readonly string[];
  /** How long an answer may take; absent: 5 s. */
  timeoutMs?: number;
}

/** Where servers are made, and the addresses that they get. */
export interface HypervisorTerms {
  url: string;
  token: string;
  addresses: { first: string; last: string; bits: number };
  gateway: string;
  /** Where a server answers once it is up; absent: 22, and 3389 on Windows. */
  reachPort?: number;
  /** A storage of snippets and the folder in which this process reaches it; absent: nobody can give user data. */
  snippets?: { storage: string; directory: string };
  /** The storage that has `egress-rescue.iso`; absent: `local`. */
  isoStorage?: string;
  /** The storage that backups go to; absent: `backup`. */
  backupStorage?: string;
  /** How long an answer may take; absent: 15 s. */
  timeoutMs?: number;
}

/** A chat platform as an OAuth 2.0 provider. */
export interface ChatTerms {
  /** What people call it. */
  name: string;
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** Answers the bearer of a token with `{ id, username, global_name? }`. */
  profileUrl: string;
  scopes: string[];
  /** How long an answer may take; absent: 5 s. */
  timeoutMs?: number;
}

/** Whether this process runs a proxy node. In tests only when asked for: several platforms at once would fight for the ports of the lines. */
export const carriesTraffic = (config: Pick<Config, 'EDGE' | 'NODE_ENV'>): boolean => config.EDGE ?? config.NODE_ENV === 'development';

/** What the sandbox listens on and accepts; the same for whoever starts it and whoever calls it. */
export const sandboxTerms = (config: Pick<Config, 'SANDBOX_PORT'>, secrets: Secrets) => ({
  ports: {
    card: config.SANDBOX_PORT,
    mail: config.SANDBOX_PORT + 1,
    smtp: config.SANDBOX_PORT + 2,
    network: config.SANDBOX_PORT + 3,
    crypto: config.SANDBOX_PORT + 4,
    chat: config.SANDBOX_PORT + 5,
    hypervisor: config.SANDBOX_PORT + 6,
    guests: config.SANDBOX_PORT + 7,
    site: config.SANDBOX_PORT + 9,
    redfish: config.SANDBOX_PORT + 10,
    metalGuests: config.SANDBOX_PORT + 11,
    names: config.SANDBOX_PORT + 12,
    router: config.SANDBOX_PORT + 13,
  },
  cardApiKey: `sk_test_${secrets.sandbox.slice(0, 32)}`,
  webhookSecret: `whsec_${secrets.sandbox.slice(32)}`,
  usageSecret: secrets.sandbox,
  cryptoApiKey: secrets.sandbox.slice(2, 42),
  cryptoWebhookSecret: secrets.sandbox.slice(16),
  hypervisorToken: `egress@pve!platform=${secrets.sandbox.slice(4, 36)}`,
  controllerPassword: secrets.sandbox.slice(6, 38),
  nameServerKey: secrets.sandbox.slice(10, 42),
  routerKey: secrets.sandbox.slice(12, 44),
  chatClientId: 'egress',
  chatClientSecret: secrets.sandbox.slice(8, 40),
});

/** The one store of the sandbox's crypto processor. */
export const SANDBOX_STORE = 'SandboxEgressStore1111111111111111111111111';

/** The name under which the sandbox's proxy network reports usage. */
export const SANDBOX_NETWORK = 'sandbox-network';

export const wantsSandbox = (config: Config): boolean =>
  config.NODE_ENV !== 'production' && (config.SANDBOX ?? (!config.STRIPE_SECRET_KEY || !config.SMTP_URL));

export function vendorsOf(config: Config, secrets: Secrets): Vendors {
  const { ports, cardApiKey, webhookSecret } = sandboxTerms(config, secrets);
  const crypto = cryptoOf(config, secrets);
  const chat = chatOf(config, secrets);
  const hypervisor = hypervisorOf(config, secrets);
  const metal = metalOf(config, secrets);
  const names = namesOf(config, secrets);
  const border = borderOf(config, secrets);
  return {
    ...(crypto && { crypto }),
    ...(chat && { chat }),
    ...(hypervisor && { hypervisor }),
    ...(metal && { metal }),
    ...(names && { names }),
    ...(border && { border }),
    ...(wantsSandbox(config) && carriesTraffic(config) && { visitorUrl: `http://127.0.0.1:${ports.site}/` }),
    card:
      config.STRIPE_SECRET_KEY && config.STRIPE_WEBHOOK_SECRETS
        ? { secretKey: config.STRIPE_SECRET_KEY, webhookSecrets: config.STRIPE_WEBHOOK_SECRETS }
        : { secretKey: cardApiKey, webhookSecrets: [webhookSecret], apiUrl: `http://127.0.0.1:${ports.card}` },
    smtpUrl: config.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
  };
}

/** The configured store; else the sandbox's, where that runs; else none. */
function cryptoOf(config: Config, secrets: Secrets): CryptoTerms | undefined {
  const { CRYPTO_URL, CRYPTO_STORE_ID, CRYPTO_API_KEY, CRYPTO_WEBHOOK_SECRETS } = config;
  if (CRYPTO_URL && CRYPTO_STORE_ID && CRYPTO_API_KEY && CRYPTO_WEBHOOK_SECRETS)
    return { url: CRYPTO_URL.replace(/\/$/, ''), storeId: CRYPTO_STORE_ID, apiKey: CRYPTO_API_KEY, webhookSecrets: CRYPTO_WEBHOOK_SECRETS };
  if (!wantsSandbox(config)) return undefined;
  const { ports, cryptoApiKey, cryptoWebhookSecret } = sandboxTerms(config, secrets);
  return { url: `http://127.0.0.1:${ports.crypto}`, storeId: SANDBOX_STORE, apiKey: cryptoApiKey, webhookSecrets: [cryptoWebhookSecret] };
}

/** The configured one; else the sandbox's, where that runs; else none. The sandbox's guests answer in loopback's own network. */
function hypervisorOf(config: Config, secrets: Secrets): HypervisorTerms | undefined {
  const { PROXMOX_URL, PROXMOX_TOKEN, SERVER_ADDRESSES, SERVER_GATEWAY } = config;
  if (PROXMOX_URL && PROXMOX_TOKEN && SERVER_ADDRESSES && SERVER_GATEWAY)
    return {
      url: PROXMOX_URL.replace(/\/$/, ''),
      token: PROXMOX_TOKEN,
      addresses: SERVER_ADDRESSES,
      gateway: SERVER_GATEWAY,
      backupStorage: config.PROXMOX_BACKUP_STORAGE,
      ...(config.PROXMOX_SNIPPETS && { snippets: config.PROXMOX_SNIPPETS }),
    };
  if (!wantsSandbox(config)) return undefined;
  const { ports, hypervisorToken } = sandboxTerms(config, secrets);
  return {
    url: `http://127.0.0.1:${ports.hypervisor}`,
    token: hypervisorToken,
    addresses: { first: '127.80.0.10', last: '127.80.3.250', bits: 16 },
    gateway: '127.80.0.1',
    reachPort: ports.guests,
    snippets: { storage: 'snippets', directory: join(config.DATA_DIR, 'sandbox', 'snippets') },
  };
}

/** The configured images; else the sandbox's, where that runs; else none. */
function metalOf(config: Config, secrets: Secrets): MetalTerms | undefined {
  const seedsUrl = config.PUBLIC_URL;
  if (config.INSTALL_IMAGES_URL)
    return {
      imagesUrl: config.INSTALL_IMAGES_URL.replace(/\/$/, ''),
      seedsUrl,
      ...(config.CONTROLLER_CA_FILE !== undefined && { authorities: readFileSync(config.CONTROLLER_CA_FILE, 'utf8') }),
    };
  if (!wantsSandbox(config)) return undefined;
  const { ports } = sandboxTerms(config, secrets);
  // The sandbox runs beside us: PUBLIC_URL may be a name that only the world outside knows.
  return {
    imagesUrl: `http://127.0.0.1:${ports.redfish}/images`,
    seedsUrl: ownUrl(config.HOST, config.PORT),
    reachPort: ports.metalGuests,
  };
}

/** The configured server; else the sandbox's, where that runs; else none. */
function namesOf(config: Config, secrets: Secrets): NameServerTerms | undefined {
  const { POWERDNS_URL, POWERDNS_API_KEY, POWERDNS_SERVER_ID: serverId } = config;
  if (POWERDNS_URL && POWERDNS_API_KEY) return { url: POWERDNS_URL.replace(/\/$/, ''), apiKey: POWERDNS_API_KEY, serverId };
  if (!wantsSandbox(config)) return undefined;
  const { ports, nameServerKey } = sandboxTerms(config, secrets);
  return { url: `http://127.0.0.1:${ports.names}`, apiKey: nameServerKey, serverId };
}

/** The configured router; else the sandbox's, where that runs; else none. */
function borderOf(config: Config, secrets: Secrets): RouterTerms | undefined {
  const { VYOS_URL, VYOS_KEY } = config;
  if (VYOS_URL && VYOS_KEY) return { url: VYOS_URL.replace(/\/$/, ''), key: VYOS_KEY };
  if (!wantsSandbox(config)) return undefined;
  const { ports, routerKey } = sandboxTerms(config, secrets);
  return { url: `http://127.0.0.1:${ports.router}`, key: routerKey };
}

/** The configured platform; else the sandbox's, where that runs; else none. */
function chatOf(config: Config, secrets: Secrets): ChatTerms | undefined {
  if (config.CHAT_CLIENT_ID && config.CHAT_CLIENT_SECRET && config.CHAT_AUTHORIZE_URL && config.CHAT_TOKEN_URL && config.CHAT_PROFILE_URL)
    return {
      name: config.CHAT_NAME,
      clientId: config.CHAT_CLIENT_ID,
      clientSecret: config.CHAT_CLIENT_SECRET,
      authorizeUrl: config.CHAT_AUTHORIZE_URL,
      tokenUrl: config.CHAT_TOKEN_URL,
      profileUrl: config.CHAT_PROFILE_URL,
      scopes: config.CHAT_SCOPES,
    };
  if (!wantsSandbox(config)) return undefined;
  const { ports, chatClientId, chatClientSecret } = sandboxTerms(config, secrets);
  const url = `http://127.0.0.1:${ports.chat}`;
  return {
    name: config.CHAT_NAME,
    clientId: chatClientId,
    clientSecret: chatClientSecret,
    authorizeUrl: `${url}/oauth2/authorize`,
    tokenUrl: `${url}/api/oauth2/token`,
    profileUrl: `${url}/api/users/@me`,
    scopes: config.CHAT_SCOPES,
  };
}
