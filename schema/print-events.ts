// The contract of events as text: one line for each field, so that a diff reads like what it does to whoever reads the log.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { EVENTS, EVENTS_BY } from './events.ts';

const HEAD = '# Made by schema/compose.ts from schema/events.ts; never edited. `?`: may be absent. `instant`: ISO 8601, in UTC.\n';

const file = new URL('./events.txt', import.meta.url);

/** The committed print. */
export const printedEvents = (): string => readFileSync(file, 'utf8');

/** Prints the contract anew. Throws when that would take back anything of what was printed: what is stored stays readable. */
export function writePrintedEvents(): void {
  const events = printEvents();
  const broken = brokenEvents(printedEvents(), events);
  if (broken.length > 0) throw new Error(`events.txt is left as it was:\n${broken.join('\n')}`);
  writeFileSync(file, events);
}

interface Shape {
  type?: string | readonly string[];
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Shape[];
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
}

function nameOf({ type, format, const: only, enum: members, anyOf }: Shape): string {
  if (anyOf) return anyOf.map(nameOf).join(' | ');
  if (members) return members.join(' | ');
  if (only !== undefined) return String(only);
  return format === 'date-time' ? 'instant' : [type ?? 'any'].flat().join(' | ');
}

function fieldsOf({ properties = {}, required = [] }: Shape, above = ''): string[] {
  return Object.keys(properties)
    .sort()
    .flatMap((name) => {
      const path = `${above}${name}${required.includes(name) ? '' : '?'}`;
      const shape = properties[name] ?? {};
      if (shape.properties) return fieldsOf(shape, `${path}.`);
      if (shape.items?.properties) return fieldsOf(shape.items, `${path}[].`);
      return [`${path}: ${shape.items ? `${nameOf(shape.items)}[]` : nameOf(shape)}`];
    });
}

/** What no subgraph names is appended by what they share. */
const appendersOf = (type: string): string =>
  Object.entries(EVENTS_BY)
    .filter(([, types]) => Object.hasOwn(types, type))
    .map(([name]) => name)
    .join(', ') || 'each';

/** Every event with who appends it, when, and its fields. */
export function printEvents(events: Record<string, { when: string; data: z.ZodObject }> = EVENTS): string {
  const blocks = Object.keys(events)
    .sort()
    .map((type) => {
      const { when, data } = events[type] as (typeof events)[string];
      const fields = fieldsOf(z.toJSONSchema(data, { io: 'input' }) as Shape);
      return [`${type} (${appendersOf(type)}): ${when}`, ...fields.map((field) => `  ${field}`)].join('\n');
    });
  return `${HEAD}\n${blocks.join('\n')}\n`;
}

/** Type -> its lines of fields. */
function readPrint(print: string): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  let fields = new Set<string>();
  for (const line of print.split('\n')) {
    const type = /^([a-z_]+\.[a-z_]+) \(/.exec(line)?.[1];
    if (type) types.set(type, (fields = new Set()));
    else if (line.startsWith('  ')) fields.add(line.trim());
  }
  return types;
}

/** `a?.b` -> `a?`, `a?.b`. */
const pathsOf = (field: string): string[] => {
  const parts = (field.split(': ')[0] ?? '').split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
};

/**
 * What a print breaks of an earlier one: a type or a field that is gone or is another one (whoever reads the log may need it, and must read what was written before),
 * and a new field that has to be there (no event from before has it).
 */
export function brokenEvents(before: string, now: string): string[] {
  const types = readPrint(now);
  return [...readPrint(before)].flatMap(([type, fields]) => {
    const present = types.get(type);
    if (!present) return [`${type} is gone`];
    const known = new Set([...fields].flatMap(pathsOf));
    const gone = [...fields].filter((field) => !present.has(field)).map((field) => `${type} has no more "${field}"`);
    const forced = [...present]
      .filter(
        (field) =>
          !fields.has(field) &&
          pathsOf(field)
            .find((path) => !known.has(path))
            ?.replace('[]', '')
            .endsWith('?') === false,
      )
      .map((field) => `${type} has a new field that is not optional: "${field}"`);
    return [...gone, ...forced];
  });
}

/** Types by resource, as a list of Markdown: `order` `.paid` and so on. */
export function listEvents(types: Iterable<string>): string {
  const verbs = Map.groupBy([...types].sort(), (type) => type.split('.')[0] ?? '');
  return [...verbs]
    .map(([resource, all]) => `- \`${resource}\`: ${all.map((type) => `\`.${type.slice(resource.length + 1)}\``).join(' ')}`)
    .flatMap((line) => wrap(line))
    .join('\n');
}

const WIDTH = 150;
/** Breaks a line of a list between words. */
function wrap(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const end = rest.lastIndexOf(' ', WIDTH);
    lines.push(rest.slice(0, end));
    rest = `  ${rest.slice(end + 1)}`;
  }
  return [...lines, rest];
}
