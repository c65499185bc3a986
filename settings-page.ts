// The page of all variables, generated from the configuration parts of all processes: docs/settings.md.
import type { z } from 'zod';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { type ConfigPart, type Variables, variablesOf } from '#platform/config.ts';
import { composition } from './configuration.ts';
import { lineConfiguration } from './edge/protocol/configuration.ts';
import { NODE_VARIABLES } from './edge/node-configuration.ts';
import { gatewayConfiguration } from './gateway/configuration.ts';
import { composition as accounts } from './subgraphs/accounts/composition.ts';
import { composition as compute } from './subgraphs/compute/composition.ts';
import { composition as residential } from './subgraphs/residential/composition.ts';
import { composition as staticProxies } from './subgraphs/static/composition.ts';

/** The configuration parts of each kind of process; a process that runs everything reads all of them. */
const PROCESSES: Readonly<Record<string, readonly ConfigPart[]>> = {
  'the gateway': [gatewayConfiguration, commerceConfiguration, lineConfiguration],
  'the adapter': [commerceConfiguration],
  accounts: accounts.parts,
  residential: residential.parts,
  static: staticProxies.parts,
  compute: compute.parts,
};

const INTRODUCTION = `# Settings

Made by \`npm run --silent settings > docs/settings.md\` from the code. Each is an environment variable, or a line \`NAME=value\` of a file \`.env\` in the folder
that a process or command is started in; what is set already wins, and an empty value counts as none. A wrong value stops the start with a sentence that
names it. \`npm start\` with everything in one process reads all but those of the last heading.
`;

const EVERYBODY = 'every process';

function readersOf(part: ConfigPart): string {
  const names = Object.keys(PROCESSES).filter((name) => PROCESSES[name]?.includes(part));
  if (names.length === Object.keys(PROCESSES).length) return EVERYBODY;
  return names.length === 0 ? 'the one process that is everything' : names.join(', ');
}

/** The default as it would be written in a variable; empty when there is none. */
export function defaultOf(schema: z.ZodType): string {
  const { def } = schema as unknown as { def: { type: string; defaultValue?: unknown } };
  if (def.type === 'prefault') return String(def.defaultValue);
  const { data } = schema.safeParse(undefined);
  if (data === undefined || data === null || (typeof data === 'object' && Object.keys(data).length === 0)) return '';
  const ways = Array.isArray(data) ? [data.join(','), data.join(';')] : [String(data)];
  return ways.find((way) => JSON.stringify(schema.safeParse(way).data) === JSON.stringify(data)) ?? '';
}

const rowOf = (name: string, schema: z.ZodType, meaning: string): string => {
  const value = defaultOf(schema);
  return `| \`${name}\` |${value && ` \`${value}\``} | ${meaning} |`;
};

const section = (readers: string, rows: readonly string[]): string =>
  [`## Of ${readers}`, '', '| Variable | Default | What it is |', '|---|---|---|', ...rows, ''].join('\n');

export function settingsPage(): string {
  const { parts } = composition;
  const owners = new Map(parts.flatMap((part) => Object.keys(part.variables).map((name) => [name, readersOf(part)] as const)));
  const sections = new Map<string, string[]>();
  const add = (variables: Variables, of: (name: string, readers: string | undefined) => string) => {
    for (const [name, [schema, meaning, readers]] of Object.entries(variables)) {
      const key = of(name, readers);
      sections.set(key, [...(sections.get(key) ?? []), rowOf(name, schema, meaning)]);
    }
  };
  add(variablesOf(parts), (name, readers) => readers ?? owners.get(name) ?? EVERYBODY);
  add(NODE_VARIABLES, () => 'a proxy node in a process of its own');
  return [INTRODUCTION, ...[...sections].map(([readers, rows]) => section(readers, rows))].join('\n');
}
