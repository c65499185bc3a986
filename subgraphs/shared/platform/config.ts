// The one typed configuration. Every variable stands in the table below; a wrong value stops the start with a sentence that names it.
import { z } from 'zod';
import { addressLines, addressRange, count, flag, networks, pairs, port, snippets, taxRates, url, usageSources } from './config-values.ts';
import { publicUrlOf } from './own-address.ts';
import { StartFailure } from './start-failure.ts';

/** name -> [schema, what it is]; the documentation prints this table. */
export const VARIABLES = {
  NODE_ENV: [z.enum(['development', 'test', 'production']).default('development'), 'production refuses the sandbox and needs SECRET'],
  PORT: [port.default(4000), 'the one public port: dashboard, /graphql, /v1, /mcp, /openapi.json, /health'],
  HOST: [z.string().default('127.0.0.1'), 'the address to listen on'],
  PUBLIC_URL: [
    url('http', 'https').optional(),
    'how browsers reach it; default http://localhost:PORT, or HOST where that is one address of several',
  ],
  DATA_DIR: [z.string().min(1).default('.data'), 'embedded database, generated secret, sandbox state'],
  DATABASE_URL: [url('postgres', 'postgresql').optional(), 'PostgreSQL 15 or newer; without it an embedded PostgreSQL 18 runs in DATA_DIR'],
  DATABASE_POOL: [count(1).default(10), 'connections per subgraph and process'],
  DATABASE_WAIT_MS: [count(1).default(1_000), 'how long anybody waits for a connection before a request is refused with 503'],
  REDIS_URL: [url('redis', 'rediss').optional(), 'shares rate limits between several gateway processes'],
  SECRET: [z.string().min(32, 'must have at least 32 characters').optional(), 'master secret; generated in DATA_DIR outside production'],
  LOG_LEVEL: [
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    'how much is logged, as JSON lines on standard error',
  ],
  ROLE: [
    z.enum(['all', 'gateway', 'adapter']).default('all'),
    'all: everything in one process; gateway: needs SUBGRAPH_URLS; adapter: /v1 and /mcp only, needs GATEWAY_URL',
  ],
  GATEWAY_URL: [url('http', 'https').optional(), 'where the gateway is, for ROLE=adapter'],
  SUBGRAPH_URLS: [pairs.optional(), 'name=url pairs of subgraphs in processes of their own, for ROLE=gateway'],
  TRUST_PROXY_HOPS: [count(0).default(0), 'how many reverse proxies in front set X-Forwarded-For'],
  METRICS_TOKEN: [
    z.string().min(16, 'must have at least 16 characters').optional(),
    'bearer token for /metrics on PORT; without it only HEALTH_PORT has metrics',
  ],
  HEALTH_PORT: [port.optional(), '/health and /metrics from a thread of their own, without a token; default PORT + 9, where that is free'],
  HEALTH_HOST: [z.string().min(1).default('127.0.0.1'), 'the address of HEALTH_PORT: never one that customers reach'],
  LEAKED_PASSWORDS_FILE: [
    z.string().min(1).optional(),
    "passwords of published leaks that nobody may choose, as Have I Been Pwned's downloader writes them: SHA-1:COUNT lines in order",
  ],
  BRAND: [z.string().min(1).max(40).default('Egress'), 'the name customers see'],
  BRAND_COLOUR: [
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #rrggbb')
      .optional(),
    "the dashboard's accent, as #rrggbb; moved as far as text in it needs to stay readable",
  ],
  BRAND_LOGO_FILE: [z.string().min(1).optional(), 'an .svg, .png or .webp beside the name; without it the built-in mark'],
  SUPPORT_EMAIL: [z.email('must be an e-mail address').default('support@egress.example'), 'where customers write to'],
  MAIL_FROM: [z.string().min(3).default('Egress <no-reply@egress.example>'), 'sender of all mails'],
  SMTP_URL: [url('smtp', 'smtps').optional(), 'mail server; without it the sandbox receives the mails'],
  STRIPE_SECRET_KEY: [
    z
      .string()
      .regex(/^(sk|rk)_(test|live)_/, 'must start with sk_ or rk_')
      .optional(),
    'card processor; without it the sandbox plays it',
  ],
  STRIPE_WEBHOOK_SECRETS: [
    z
      .string()
      .transform((value) => value.split(','))
      .optional(),
    'current and previous webhook secret, separated by a comma',
  ],
  CRYPTO_URL: [
    url('http', 'https').optional(),
    'BTCPay Server that takes cryptocurrency; without it nobody pays so, or the sandbox plays it',
  ],
  CRYPTO_STORE_ID: [
    z
      .string()
      .regex(/^[A-Za-z0-9]+$/, 'must be letters and digits')
      .optional(),
    'its store',
  ],
  CRYPTO_API_KEY: [z.string().min(1).optional(), 'its API key, which may create, view and modify invoices of that store'],
  CRYPTO_WEBHOOK_SECRETS: [
    z
      .string()
      .transform((value) => value.split(','))
      .optional(),
    'current and previous secret of its webhook to /webhooks/crypto, separated by a comma',
  ],
  CHAT_NAME: [z.string().min(1).max(40).default('Chat'), 'the chat platform that people can sign in with, as they call it'],
  CHAT_CLIENT_ID: [
    z.string().min(1).optional(),
    'its OAuth 2.0 client; without all five CHAT_ values nobody signs in by chat, or the sandbox plays it',
  ],
  CHAT_CLIENT_SECRET: [z.string().min(1).optional(), 'secret of that client'],
  CHAT_AUTHORIZE_URL: [url('http', 'https').optional(), 'its authorization endpoint'],
  CHAT_TOKEN_URL: [url('http', 'https').optional(), 'its token endpoint'],
  CHAT_PROFILE_URL: [url('http', 'https').optional(), 'answers { id, username } to the bearer of a token'],
  CHAT_SCOPES: [
    z
      .string()
      .default('identify')
      .transform((value) => value.split(' ').filter(Boolean)),
    'what is asked of it, separated by spaces',
  ],
  SANDBOX: [flag.optional(), 'false: never start the sandbox; true: always; default: when a vendor has no credentials'],
  SANDBOX_PORT: [port.optional(), 'first of the ports of the sandbox; default PORT + 10'],
  SANDBOX_QEMU: [
    z.string().min(1).optional(),
    "qemu-system-x86_64 or its path: a node of the sandbox's hypervisor runs real virtual machines with it",
  ],
  DEMO: [
    flag.optional(),
    'seed demo data into an empty database, with passwords of its own; default: with the sandbox; production refuses it',
  ],
  STAFF_DAILY_LIMIT: [count(0).default(1_000), 'USD that one member of support may give away in a day, as credit and refunds'],
  USAGE_SOURCES: [
    usageSources.optional(),
    'name=secret pairs of networks that may report usage; name[PREMIUM+MOBILE]=secret for these products alone',
  ],
  PROXY_HOST: [z.string().min(1).default('localhost'), 'host name in generated proxy lines'],
  PROXY_HTTP_PORT: [port.default(7777), 'HTTP port in generated proxy lines'],
  PROXY_SOCKS5_PORT: [port.default(7778), 'SOCKS5 port in generated proxy lines'],
  EDGE: [flag.optional(), 'whether this process carries the traffic of proxy lines on those ports; default: in development'],
  EDGE_EXITS_FILE: [z.string().optional(), 'JSON file with the addresses that traffic leaves from; without it loopback plays all places'],
  EDGE_RULES_FILE: [z.string().optional(), 'JSON file with own rules on targets: networks, ports, names, by product'],
  EDGE_FORBIDDEN_NETWORKS: [
    networks.optional(),
    "the operator's own addresses and networks that no line may reach, beside those of this machine; separated by commas",
  ],
  SELLER_NAME: [z.string().min(1).max(100).default('Egress Example Ltd'), 'the company on invoices'],
  SELLER_ADDRESS: [addressLines.default(['1 Example Street', 'Exampleton']), 'its address on invoices, lines separated by semicolons'],
  SELLER_COUNTRY: [
    z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters')
      .optional(),
    'its country on invoices, as a code of two letters',
  ],
  SELLER_TAX_ID: [z.string().min(4).max(30).optional(), 'its tax id on invoices'],
  BANK_DETAILS: [
    addressLines.optional(),
    'the bank account that transfers go to, lines separated by semicolons; without it support sends it to each buyer',
  ],
  TAX_RATES: [taxRates.optional(), 'COUNTRY=percent pairs; default 0 %'],
  ADDRESS_REST_HOURS: [count(0).default(168), 'how long a static address rests between two customers'],
  STATIC_DELIVERY_HOURS: [count(1).default(24), 'static plans that the stock cannot fill for so long are paid back'],
  HEALTH_CHECK_URL: [
    url('http').optional(),
    'a page that answers with the address of its visitor, to check sold static addresses through; without it the sandbox has one',
  ],
  HEALTH_CHECKS_FROM: [
    z
      .string()
      .default('127.0.0.1')
      .transform((value) => value.split(',').filter(Boolean)),
    "addresses from which this platform checks, which customers' lists of allowed clients never shut out",
  ],
  PROXMOX_URL: [url('http', 'https').optional(), 'Proxmox VE that servers run on, as https://HOST:8006; without it the sandbox plays it'],
  PROXMOX_TOKEN: [
    z
      .string()
      .regex(/^[^!=\s]+@[^!=\s]+![^!=\s]+=\S+$/, 'must be USER@REALM!NAME=SECRET')
      .optional(),
    'API token for it, as USER@REALM!NAME=SECRET',
  ],
  PROXMOX_BACKUP_STORAGE: [z.string().min(1).default('backup'), 'its storage that backups of servers go to; every node must reach it'],
  PROXMOX_SNIPPETS: [
    snippets.optional(),
    'STORAGE:FOLDER of its snippets, where this process can write them; without it nobody can give user data for cloud-init',
  ],
  SERVER_ADDRESSES: [addressRange.optional(), 'IPv4 addresses of servers, as FIRST-LAST/BITS; without them no servers are sold'],
  SERVER_GATEWAY: [z.ipv4('must be an IPv4 address').optional(), 'the gateway of those addresses'],
  INSTALL_IMAGES_URL: [
    url('http', 'https').optional(),
    'where controllers of dedicated servers fetch URL/debian-13.iso and others; without it the sandbox plays them, or delivery is by hand',
  ],
  CONTROLLER_CA_FILE: [z.string().min(1).optional(), 'PEM file of the authorities that sign the certificates of those controllers'],
  POWERDNS_URL: [
    url('http', 'https').optional(),
    'PowerDNS Authoritative Server with the reverse zones, as https://HOST:8081; without it addresses have no names, or the sandbox plays it',
  ],
  POWERDNS_API_KEY: [z.string().min(1).optional(), 'its API key'],
  POWERDNS_SERVER_ID: [z.string().min(1).default('localhost'), 'its name in its own API; default localhost'],
  VYOS_URL: [
    url('http', 'https').optional(),
    'VyOS 1.4 router in front of dedicated servers, as https://HOST; without it they have no firewall of ours, or the sandbox plays it',
  ],
  VYOS_KEY: [z.string().min(1).optional(), 'a key of its HTTP API'],
  CATALOGUE_FILE: [z.string().optional(), 'JSON file with prices and names of the operator'],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

type Values = { [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name][0]> };
export type Config = Values & { PUBLIC_URL: string; SANDBOX_PORT: number };

/** Reads the configuration. Throws one StartFailure with a sentence per wrong value. Empty values count as absent. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const wrong: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, [schema]] of Object.entries(VARIABLES)) {
    const result = schema.safeParse(environment[name] || undefined);
    if (result.success) values[name] = result.data;
    else
      wrong.push(`${name} ${result.error.issues.map((issue) => issue.message).join('; ')} (it is ${JSON.stringify(environment[name])}).`);
  }
  const config = values as Values;
  if (config.NODE_ENV === 'production') {
    if (!config.SECRET) wrong.push('SECRET must be set in production.');
    if (config.SANDBOX) wrong.push('SANDBOX must not be true in production.');
    if (config.DEMO) wrong.push('DEMO must not be true in production: its people are for trying out.');
    if (!config.PUBLIC_URL) wrong.push('PUBLIC_URL must be set in production.');
    // Their defaults are nobody's: an invoice must say who issued it.
    for (const name of ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_COUNTRY', 'SELLER_TAX_ID'])
      if (!environment[name]) wrong.push(`${name} must be set in production: it stands on every invoice.`);
    if (config.EDGE && !config.EDGE_EXITS_FILE) wrong.push('EDGE_EXITS_FILE must be set in production when EDGE is true.');
    for (const name of ['DATABASE_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'SMTP_URL'] as const)
      if (!config[name]) wrong.push(`${name} must be set in production: the embedded database and the sandbox do not run there.`);
  }
  if (config.SANDBOX === false)
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'SMTP_URL'] as const)
      if (!config[name] && config.NODE_ENV !== 'production') wrong.push(`${name} must be set when SANDBOX is false.`);
  if (config.STRIPE_SECRET_KEY && !config.STRIPE_WEBHOOK_SECRETS) wrong.push('STRIPE_WEBHOOK_SECRETS must be set with STRIPE_SECRET_KEY.');
  for (const name of ['CRYPTO_STORE_ID', 'CRYPTO_API_KEY', 'CRYPTO_WEBHOOK_SECRETS'] as const)
    if (config.CRYPTO_URL && !config[name]) wrong.push(`${name} must be set with CRYPTO_URL.`);
  for (const name of ['PROXMOX_TOKEN', 'SERVER_ADDRESSES', 'SERVER_GATEWAY'] as const)
    if (config.PROXMOX_URL && !config[name]) wrong.push(`${name} must be set with PROXMOX_URL.`);
  if (config.POWERDNS_URL && !config.POWERDNS_API_KEY) wrong.push('POWERDNS_API_KEY must be set with POWERDNS_URL.');
  if (config.VYOS_URL && !config.VYOS_KEY) wrong.push('VYOS_KEY must be set with VYOS_URL.');
  if (config.ROLE === 'gateway' && !config.SUBGRAPH_URLS) wrong.push('SUBGRAPH_URLS must be set when ROLE is gateway.');
  if (config.ROLE === 'adapter' && !config.GATEWAY_URL) wrong.push('GATEWAY_URL must be set when ROLE is adapter.');
  if (wrong.length > 0) throw new StartFailure(`The configuration is not usable:\n${wrong.map((line) => `  - ${line}`).join('\n')}`);
  return {
    ...config,
    PUBLIC_URL: (config.PUBLIC_URL ?? publicUrlOf(config.HOST, config.PORT)).replace(/\/$/, ''),
    SANDBOX_PORT: config.SANDBOX_PORT ?? (config.PORT === 0 ? 0 : config.PORT + 10),
  };
}
