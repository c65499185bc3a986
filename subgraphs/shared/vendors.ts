// Where outside systems answer: the vendors themselves where their credentials are configured, else the sandbox on its fixed ports.
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';

export interface Vendors {
  /** `apiUrl` absent: the vendor's own address. Webhook secrets: current, previous. */
  card: { secretKey: string; webhookSecrets: readonly string[]; apiUrl?: string };
  smtpUrl: string;
  /** Absent: nobody signs in by chat. */
  chat?: ChatTerms;
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
  },
  cardApiKey: `sk_test_${secrets.sandbox.slice(0, 32)}`,
  webhookSecret: `whsec_${secrets.sandbox.slice(32)}`,
  usageSecret: secrets.sandbox,
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
  return {
    ...(chat && { chat }),
    card:
      config.STRIPE_SECRET_KEY && config.STRIPE_WEBHOOK_SECRETS
        ? { secretKey: config.STRIPE_SECRET_KEY, webhookSecrets: config.STRIPE_WEBHOOK_SECRETS }
        : { secretKey: cardApiKey, webhookSecrets: [webhookSecret], apiUrl: `http://127.0.0.1:${ports.card}` },
    smtpUrl: config.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
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
