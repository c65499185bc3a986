// The one typed configuration, in parts: each part of the program declares which variables it reads, what they mean and which belong together. A wrong value
// stops the start with a sentence that names it.
import { z } from 'zod';
import { count, flag, pairs, port, url, urls } from './config-values.ts';
import { publicUrlOf } from './own-address.ts';
import { StartFailure } from './start-failure.ts';
import { TRACING_VARIABLES } from './tracing-configuration.ts';

/** name -> [schema, meaning, which processes read it (absent: every process)]; docs/settings.md is printed from it. */
export type Variables = Readonly<Record<string, readonly [schema: z.ZodType, meaning: string, readers?: string]>>;
export type ValuesOf<Own extends Variables> = { readonly [Name in keyof Own]: z.output<Own[Name][0]> };

/** The minimum length of a master secret. */
export const MIN_SECRET_LENGTH = 32;

const SUBGRAPHS = 'the subgraphs, and commands';
const BACKUPS = 'a process that is everything, and the command backup';
const FRONTS = 'the gateway and the adapter';

const VARIABLES = {
  ENV_FILE: [z.string().min(1).default('.env'), 'a file of these variables, read first where it is there; what is set already wins'],
  NODE_ENV: [z.enum(['development', 'test', 'production']).default('development'), 'production refuses the sandbox and needs SECRET'],
  PORT: [port.default(4000), 'the one public port: dashboard, /graphql, /v1, /mcp, /openapi.json, /health'],
  HOST: [z.string().default('127.0.0.1'), 'the address to listen on'],
  PUBLIC_URL: [
    url('http', 'https').optional(),
    'how browsers reach it; default http://localhost:PORT, or HOST where that is one address of several',
  ],
  DATA_DIR: [z.string().min(1).default('.data'), 'embedded database, generated secret, sandbox state'],
  DATABASE_URL: [
    url('postgres', 'postgresql').optional(),
    'PostgreSQL 15 or newer; without it an embedded PostgreSQL 18 runs in DATA_DIR',
    SUBGRAPHS,
  ],
  MIGRATE: [
    z.enum(['on', 'off']).default('on'),
    'off: never change the schema at the start, and refuse to start on one that is older; `npm run --silent migrate` changes it',
    SUBGRAPHS,
  ],
  DATABASE_POOL: [count(1).default(10), 'connections per subgraph and process', SUBGRAPHS],
  DATABASE_WAIT_MS: [count(1).default(1_000), 'how long anybody waits for a connection before a request is refused with 503', SUBGRAPHS],
  JOB_WORKERS: [count(1).default(4), 'how many jobs of one kind a process runs at once', SUBGRAPHS],
  SECRET: [
    z.string().min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`).optional(),
    'master secret; generated in DATA_DIR outside production; new,old while it is being changed',
  ],
  BACKUP_PASSPHRASE: [
    z.string().min(12, 'must have at least 12 characters').optional(),
    'seals backups, and opens them again: keep it elsewhere than them',
    'the commands backup and restore',
  ],
  BACKUP_DIR: [z.string().min(1).optional(), 'where backups that are due are put, outside of DATA_DIR', BACKUPS],
  BACKUP_EVERY_HOURS: [
    count(1).optional(),
    'a backup is due when the last one is so old: a process that is everything takes it; default: none by itself',
    BACKUPS,
  ],
  BACKUP_KEEP: [count(1).default(7), 'how many of BACKUP_DIR stay, the newest', BACKUPS],
  BACKUP_LOG_SECONDS: [
    count(1).optional(),
    "keeps the database's log beside the backups, so often, so that one can be restored to any later moment; default: not",
    BACKUPS,
  ],
  BACKUP_S3_URL: [
    url('http', 'https').optional(),
    'a bucket that BACKUP_DIR is copied to, of S3 or what speaks like it: https://HOST/BUCKET/PREFIX',
    'the commands backup and restore',
  ],
  BACKUP_S3_REGION: [z.string().min(1).default('us-east-1'), 'the region of that bucket', 'the commands backup and restore'],
  BACKUP_S3_KEY_ID: [z.string().min(1).optional(), 'who may write to it', 'the commands backup and restore'],
  BACKUP_S3_SECRET: [z.string().min(1).optional(), 'the secret of that key', 'the commands backup and restore'],
  LOG_LEVEL: [
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    'how much is logged, as JSON lines on standard error',
  ],
  ROLE: [
    z.enum(['all', 'gateway', 'adapter']).default('all'),
    'all: everything in one process; gateway: needs SUBGRAPH_URLS; adapter: /v1 and /mcp only, needs GATEWAY_URL',
    FRONTS,
  ],
  GATEWAY_URL: [
    urls('http', 'https').optional(),
    'where the gateway is, or the gateways are, separated by commas, for ROLE=adapter',
    'the adapter',
  ],
  SUBGRAPH_URLS: [
    pairs.optional(),
    'name=url pairs of subgraphs in processes of their own, for ROLE=gateway',
    'the gateway, and residential',
  ],
  TRUST_PROXY_HOPS: [count(0).default(0), 'how many reverse proxies in front set X-Forwarded-For', FRONTS],
  METRICS_TOKEN: [
    z.string().min(16, 'must have at least 16 characters').optional(),
    'bearer token for /metrics on PORT; without it only HEALTH_PORT has metrics',
    FRONTS,
  ],
  HEALTH_PORT: [port.optional(), '/health and /metrics from a thread of their own, without a token; default PORT + 9, where that is free'],
  HEALTH_HOST: [z.string().min(1).default('127.0.0.1'), 'the address of HEALTH_PORT: never one that customers reach'],
  STOP_DELAY_MS: [
    count(0).default(0),
    'how long a process that was told to stop goes on answering after it says so on /health/ready: longer than a balancer takes to notice',
  ],
  ...TRACING_VARIABLES,
  RELEASE_URL: [
    url('http', 'https').optional(),
    'a JSON document { version, notes, security } of the newest release, which the doctor compares with this one; default: nobody is asked',
    'the command doctor',
  ],
  SANDBOX: [flag.optional(), 'false: never start the sandbox; true: always; default: when a vendor has no credentials'],
  SANDBOX_PORT: [port.optional(), 'first of the ports of the sandbox; default PORT + 10'],
} as const satisfies Variables;

/**
 * The platform's own values, with the defaults that follow from other values. The values of other parts are in the object too: `of` of the part returns them.
 */
export type Config = Omit<ValuesOf<typeof VARIABLES>, 'PUBLIC_URL' | 'SANDBOX' | 'SANDBOX_PORT'> & {
  readonly PUBLIC_URL: string;
  /** Whether the sandbox replaces the vendors that are not configured. */
  readonly SANDBOX: boolean;
  readonly SANDBOX_PORT: number;
};

type NameOf<Own extends Variables> = Extract<keyof Own, string>;

/** The rules of a part beside its variables. They refer to variables by name. */
export interface PartRules<Own extends Variables> {
  /** Variables of outside systems that everybody needs: they must be set unless the sandbox runs. */
  needed?: readonly NameOf<Own>[];
  /** A variable -> the variables that must be set when it is. */
  requires?: { readonly [Name in NameOf<Own>]?: readonly NameOf<Own>[] };
  /** Further sentences on what is wrong. `given`: whether a variable is set; its default does not count. */
  refusals?: (own: ValuesOf<Own>, config: Config, given: (name: NameOf<Own>) => boolean) => readonly string[];
}

/** What a part of the program reads of the configuration. */
export interface ConfigPart {
  variables: Variables;
  needed: readonly string[];
  requires: Readonly<Record<string, readonly string[] | undefined>>;
  refusals(config: Config, given: (name: string) => boolean): readonly string[];
}

export interface TypedConfigPart<Own extends Variables> extends ConfigPart {
  variables: Own;
  /** The values of this part only. Throws when the configuration was read without the part. */
  of(config: Config): ValuesOf<Own>;
}

export function configPart<const Own extends Variables>(variables: Own, rules: PartRules<Own> = {}): TypedConfigPart<Own> {
  const names = Object.keys(variables);
  const of = (config: Config) => {
    const missing = names.find((name) => !(name in config));
    if (missing !== undefined) throw new Error(`the configuration was read without ${missing}`);
    return Object.fromEntries(names.map((name) => [name, config[name as keyof Config]])) as ValuesOf<Own>;
  };
  return {
    variables,
    needed: rules.needed ?? [],
    requires: rules.requires ?? {},
    refusals: (config, given) => rules.refusals?.(of(config), config, given) ?? [],
    of,
  };
}

/** All variables, the platform's first. Throws when two parts declare the same one. */
export function variablesOf(parts: readonly ConfigPart[]): Variables {
  const named = parts.flatMap(({ variables }) => Object.entries(variables));
  const gathered = { ...VARIABLES, ...Object.fromEntries(named) };
  if (Object.keys(gathered).length < Object.keys(VARIABLES).length + named.length) throw new Error('a variable belongs to two parts');
  return gathered;
}

/**
 * Reads the platform's variables and those of these parts. Throws one StartFailure with a sentence per wrong value. Empty values count as absent. `others`:
 * variables needed by parts that another process reads; the sandbox runs in all processes or in none.
 */
export function readConfig(
  parts: readonly ConfigPart[],
  environment: Record<string, string | undefined>,
  others: readonly string[] = [],
): Config {
  const { read, wrong } = readValues(variablesOf(parts), environment);
  const values = read as ValuesOf<typeof VARIABLES>;
  const unplayed = parts.flatMap(({ needed }) => needed).filter((name) => !read[name]);
  wrong.push(...platformRefusals(values, unplayed));
  for (const { requires, refusals } of parts) {
    for (const [name, others = []] of Object.entries(requires))
      if (read[name]) wrong.push(...others.filter((other) => !read[other]).map((other) => `${other} must be set with ${name}.`));
    wrong.push(...refusals(read as Config, (name) => !!environment[name]));
  }
  refuse(wrong);
  return {
    ...values,
    PUBLIC_URL: (values.PUBLIC_URL ?? publicUrlOf(values.HOST, values.PORT)).replace(/\/$/, ''),
    SANDBOX: values.NODE_ENV !== 'production' && (values.SANDBOX ?? (unplayed.length > 0 || others.some((name) => !environment[name]))),
    SANDBOX_PORT: values.SANDBOX_PORT ?? (values.PORT === 0 ? 0 : values.PORT + 10),
  };
}

/** For a program that reads only these variables. Throws one StartFailure with a sentence per wrong value; `refusals` adds sentences. */
export function readVariables<Own extends Variables>(
  variables: Own,
  environment: Record<string, string | undefined>,
  refusals: (values: ValuesOf<Own>) => readonly string[] = () => [],
): ValuesOf<Own> {
  const { read, wrong } = readValues(variables, environment);
  const values = read as ValuesOf<Own>;
  refuse([...wrong, ...refusals(values)]);
  return values;
}

function readValues(variables: Variables, environment: Record<string, string | undefined>) {
  const wrong: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, [schema]] of Object.entries(variables)) {
    const result = schema.safeParse(environment[name] || undefined);
    read[name] = result.data;
    if (result.error)
      wrong.push(`${name} ${result.error.issues.map((issue) => issue.message).join('; ')} (it is ${JSON.stringify(environment[name])}).`);
  }
  return { read, wrong };
}

function refuse(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new StartFailure(`The configuration is not usable:\n${wrong.map((line) => `  - ${line}`).join('\n')}`);
}

/** The variables of the database and of an installation's files. */
const STORAGE = [
  'NODE_ENV',
  'DATABASE_URL',
  'DATA_DIR',
  'SECRET',
  'MIGRATE',
  'LOG_LEVEL',
  'BACKUP_PASSPHRASE',
  'BACKUP_DIR',
  'BACKUP_EVERY_HOURS',
  'BACKUP_KEEP',
  'BACKUP_LOG_SECONDS',
  'BACKUP_S3_URL',
  'BACKUP_S3_REGION',
  'BACKUP_S3_KEY_ID',
  'BACKUP_S3_SECRET',
] as const;
export type StorageConfig = Pick<Config, (typeof STORAGE)[number]>;

/** For commands that need only these variables: no credentials of vendors are required. */
export function readStorageConfig(environment: Record<string, string | undefined>): StorageConfig {
  const own = Object.fromEntries(STORAGE.map((name) => [name, VARIABLES[name]])) as Pick<typeof VARIABLES, (typeof STORAGE)[number]>;
  return readVariables(own, environment, (config) =>
    config.NODE_ENV === 'production' && !config.DATABASE_URL
      ? ['DATABASE_URL must be set in production: the embedded database does not run there.']
      : [],
  ) as StorageConfig;
}

/** `unplayed`: needed variables that are not set. */
function platformRefusals(config: ValuesOf<typeof VARIABLES>, unplayed: readonly string[]): string[] {
  const wrong: string[] = [];
  if (config.NODE_ENV === 'production') {
    if (!config.SECRET) wrong.push('SECRET must be set in production.');
    if (config.SANDBOX) wrong.push('SANDBOX must not be true in production.');
    if (!config.PUBLIC_URL) wrong.push('PUBLIC_URL must be set in production.');
    for (const name of [...(config.DATABASE_URL ? [] : ['DATABASE_URL']), ...unplayed])
      wrong.push(`${name} must be set in production: the embedded database and the sandbox do not run there.`);
  } else if (config.SANDBOX === false) wrong.push(...unplayed.map((name) => `${name} must be set when SANDBOX is false.`));
  for (const name of ['BACKUP_DIR', 'BACKUP_PASSPHRASE'] as const)
    for (const asks of ['BACKUP_EVERY_HOURS', 'BACKUP_LOG_SECONDS'] as const)
      if (config[asks] !== undefined && config[name] === undefined) wrong.push(`${name} must be set with ${asks}.`);
  if (config.BACKUP_LOG_SECONDS !== undefined && config.BACKUP_EVERY_HOURS === undefined)
    wrong.push('BACKUP_EVERY_HOURS must be set with BACKUP_LOG_SECONDS: the log is kept from a backup on.');
  if (config.ROLE === 'gateway' && !config.SUBGRAPH_URLS) wrong.push('SUBGRAPH_URLS must be set when ROLE is gateway.');
  if (config.ROLE === 'adapter' && !config.GATEWAY_URL) wrong.push('GATEWAY_URL must be set when ROLE is adapter.');
  return wrong;
}
