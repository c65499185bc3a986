// Where outside systems answer: the vendors themselves where their credentials are configured, else the sandbox on its fixed ports.
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';

export interface Vendors {
  /** `apiUrl` absent: the vendor's own address. Webhook secrets: current, previous. */
  card: { secretKey: string; webhookSecrets: readonly string[]; apiUrl?: string };
  smtpUrl: string;
}

/** What the sandbox listens on and accepts; the same for whoever starts it and whoever calls it. */
export const sandboxTerms = (config: Pick<Config, 'SANDBOX_PORT'>, secrets: Secrets) => ({
  ports: { card: config.SANDBOX_PORT, mail: config.SANDBOX_PORT + 1, smtp: config.SANDBOX_PORT + 2, network: config.SANDBOX_PORT + 3 },
  cardApiKey: `sk_test_${secrets.sandbox.slice(0, 32)}`,
  webhookSecret: `whsec_${secrets.sandbox.slice(32)}`,
  usageSecret: secrets.sandbox,
});

/** The name under which the sandbox's proxy network reports usage. */
export const SANDBOX_NETWORK = 'sandbox-network';

export const wantsSandbox = (config: Config): boolean =>
  config.NODE_ENV !== 'production' && (config.SANDBOX ?? (!config.STRIPE_SECRET_KEY || !config.SMTP_URL));

export function vendorsOf(config: Config, secrets: Secrets): Vendors {
  const { ports, cardApiKey, webhookSecret } = sandboxTerms(config, secrets);
  return {
    card:
      config.STRIPE_SECRET_KEY && config.STRIPE_WEBHOOK_SECRETS
        ? { secretKey: config.STRIPE_SECRET_KEY, webhookSecrets: config.STRIPE_WEBHOOK_SECRETS }
        : { secretKey: cardApiKey, webhookSecrets: [webhookSecret], apiUrl: `http://127.0.0.1:${ports.card}` },
    smtpUrl: config.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
  };
}

/** source -> secret of every network that may report usage. */
export const usageSourcesOf = (config: Config, secrets: Secrets): Record<string, string> => ({
  ...(wantsSandbox(config) && { [SANDBOX_NETWORK]: secrets.sandbox }),
  ...config.USAGE_SOURCES,
});
