// Where outside systems answer: the vendors themselves where their credentials are configured, else the sandbox on its fixed ports.
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';

export interface Vendors {
  /** `apiUrl` absent: the vendor's own address. Webhook secrets: current, previous. */
  card: { secretKey: string; webhookSecrets: readonly string[]; apiUrl?: string };
  smtpUrl: string;
  /** Absent: nobody signs in by chat. */
  chat?: ChatTerms;
  /** Absent: no servers are sold. */
  hypervisor?: HypervisorTerms;
}

/** Where servers are made, and the addresses that they get. */
export interface HypervisorTerms {
  url: string;
  token: string;
  addresses: { first: string; last: string; bits: number };
  gateway: string;
  /** Where a server answers once it is up; absent: 22, and 3389 on Windows. */
  reachPort?: number;
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
}

/** What the sandbox listens on and accepts; the same for whoever starts it and whoever calls it. */
export const sandboxTerms = (config: Pick<Config, 'SANDBOX_PORT'>, secrets: Secrets) => ({
  ports: {
    card: config.SANDBOX_PORT,
    mail: config.SANDBOX_PORT + 1,
    smtp: config.SANDBOX_PORT + 2,
    network: config.SANDBOX_PORT + 3,
    chat: config.SANDBOX_PORT + 5,
    hypervisor: config.SANDBOX_PORT + 6,
    guests: config.SANDBOX_PORT + 7,
  },
  cardApiKey: `sk_test_${secrets.sandbox.slice(0, 32)}`,
  webhookSecret: `whsec_${secrets.sandbox.slice(32)}`,
  usageSecret: secrets.sandbox,
  hypervisorToken: `egress@pve!platform=${secrets.sandbox.slice(4, 36)}`,
  chatClientId: 'egress',
  chatClientSecret: secrets.sandbox.slice(8, 40),
});

/** The name under which the sandbox's proxy network reports usage. */
export const SANDBOX_NETWORK = 'sandbox-network';

export const wantsSandbox = (config: Config): boolean =>
  config.NODE_ENV !== 'production' && (config.SANDBOX ?? (!config.STRIPE_SECRET_KEY || !config.SMTP_URL));

export function vendorsOf(config: Config, secrets: Secrets): Vendors {
  const { ports, cardApiKey, webhookSecret } = sandboxTerms(config, secrets);
  const chat = chatOf(config, secrets);
  const hypervisor = hypervisorOf(config, secrets);
  return {
    ...(chat && { chat }),
    ...(hypervisor && { hypervisor }),
    card:
      config.STRIPE_SECRET_KEY && config.STRIPE_WEBHOOK_SECRETS
        ? { secretKey: config.STRIPE_SECRET_KEY, webhookSecrets: config.STRIPE_WEBHOOK_SECRETS }
        : { secretKey: cardApiKey, webhookSecrets: [webhookSecret], apiUrl: `http://127.0.0.1:${ports.card}` },
    smtpUrl: config.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
  };
}

/** The configured one; else the sandbox's, where that runs; else none. The sandbox's guests answer in loopback's own network. */
function hypervisorOf(config: Config, secrets: Secrets): HypervisorTerms | undefined {
  const { PROXMOX_URL, PROXMOX_TOKEN, SERVER_ADDRESSES, SERVER_GATEWAY } = config;
  if (PROXMOX_URL && PROXMOX_TOKEN && SERVER_ADDRESSES && SERVER_GATEWAY)
    return { url: PROXMOX_URL.replace(/\/$/, ''), token: PROXMOX_TOKEN, addresses: SERVER_ADDRESSES, gateway: SERVER_GATEWAY };
  if (!wantsSandbox(config)) return undefined;
  const { ports, hypervisorToken } = sandboxTerms(config, secrets);
  return {
    url: `http://127.0.0.1:${ports.hypervisor}`,
    token: hypervisorToken,
    addresses: { first: '127.80.0.10', last: '127.80.3.250', bits: 16 },
    gateway: '127.80.0.1',
    reachPort: ports.guests,
  };
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

/** source -> secret of every network that may report usage. */
export const usageSourcesOf = (config: Config, secrets: Secrets): Record<string, string> => ({
  ...(wantsSandbox(config) && { [SANDBOX_NETWORK]: secrets.sandbox }),
  ...config.USAGE_SOURCES,
});
