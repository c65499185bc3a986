// Templates for the username or password at a seller's gateway, for example
// customer-acme[-cc-{country|upper}][-city-{city}][-sessid-{session}[-sesstime-{minutes}]]. A part in brackets is left out when the line has no value for
// its variable.
import { statesOf } from './states.ts';

export const TEMPLATE_VARIABLES = ['country', 'state', 'city', 'asn', 'session', 'minutes', 'random'] as const;
export type TemplateVariable = (typeof TEMPLATE_VARIABLES)[number];
/** As written in usernames of lines. Without a country the seller may choose any. */
export type TemplateValues = { readonly [Variable in TemplateVariable]?: string | undefined };

/** The seller's names of places, by ours: `gb`, `us/new_york`. Null: the seller does not have the place. */
export interface PlaceNames {
  country?: Readonly<Record<string, string | null>> | undefined;
  state?: Readonly<Record<string, string | null>> | undefined;
  city?: Readonly<Record<string, string | null>> | undefined;
}

type Piece = string | { variable: TemplateVariable; filters: readonly string[] } | { group: readonly Piece[] };

/** A parsed template. `variables`: all that occur in it. */
export interface LoginTemplate {
  readonly pieces: readonly Piece[];
  readonly variables: ReadonlySet<TemplateVariable>;
}

const FILTERS: Record<string, (value: string, values: TemplateValues) => string> = {
  upper: (value) => value.toUpperCase(),
  compact: (value) => value.replaceAll('_', ''),
  dashes: (value) => value.replaceAll('_', '-'),
  plus: (value) => value.replaceAll('_', '+'),
  spaces: (value) => value.replaceAll('_', ' '),
  seconds: (value) => String(Number(value) * 60),
  /** The code of a state in ISO 3166-2: `ny` for new_york in us. */
  iso: (value, { country = '' }) =>
    statesOf(country)
      .find(({ code }) => code === value)
      ?.iso.slice(3)
      .toLowerCase() ?? value,
};
const LENGTH = /^[1-9]\d?$/;

/** Parses a template. Throws an Error with a sentence about the mistake. */
export function readTemplate(text: string): LoginTemplate {
  const variables = new Set<TemplateVariable>();
  const stack: Piece[][] = [[]];
  for (const token of text.match(/\[|\]|\{[^{}]*\}|[^[\]{}]+|[{}]/g) ?? []) {
    const open = stack.at(-1) as Piece[];
    if (token === '[') stack.push([]);
    else if (token === ']') {
      const group = stack.pop() as Piece[];
      const outer = stack.at(-1);
      if (!outer) throw new Error(`"${text}" closes a bracket that it does not open.`);
      outer.push({ group });
    } else if (token.startsWith('{')) open.push(readVariable(token, variables));
    else if (token === '}') throw new Error(`"${text}" closes a brace that it does not open.`);
    else open.push(token);
  }
  const [pieces] = stack;
  if (stack.length !== 1 || !pieces) throw new Error(`"${text}" opens a bracket that it does not close.`);
  return { pieces, variables };
}

function readVariable(token: string, variables: Set<TemplateVariable>): Piece {
  const [name = '', ...filters] = token.slice(1, -1).split('|');
  const variable = TEMPLATE_VARIABLES.find((known) => known === name);
  if (!variable) throw new Error(`${token} is none of ${TEMPLATE_VARIABLES.map((known) => `{${known}}`).join(' ')}.`);
  for (const filter of filters)
    if (!Object.hasOwn(FILTERS, filter) && !LENGTH.test(filter))
      throw new Error(`${filter} in ${token} is none of ${Object.keys(FILTERS).join(', ')}, nor a length.`);
  variables.add(variable);
  return { variable, filters };
}

/** Fills in the values; undefined when a variable outside brackets has no value. */
export function fillTemplate({ pieces }: LoginTemplate, values: TemplateValues, names: PlaceNames = {}): string | undefined {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else if ('group' in piece) text += fillTemplate({ pieces: piece.group, variables: new Set() }, values, names) ?? '';
    else {
      const value = values[piece.variable];
      if (value === undefined) return undefined;
      const named = sellersName(piece.variable, values, names);
      text += piece.filters.reduce(
        (word, filter) => FILTERS[filter]?.(word, values) ?? word.slice(0, Number(filter)),
        typeof named === 'string' ? named : value,
      );
    }
  }
  return text;
}

/** Null: the seller does not have the place; undefined: the seller uses our name. */
function sellersName(variable: TemplateVariable, { country = '', state, city }: TemplateValues, names: PlaceNames) {
  if (variable === 'country') return names.country?.[country];
  if (variable === 'state') return names.state?.[`${country}/${state ?? ''}`];
  if (variable === 'city') return names.city?.[`${country}/${city ?? ''}`];
  return undefined;
}

/** Whether the seller has the place. */
export const sellsPlace = (values: TemplateValues, names: PlaceNames = {}): boolean =>
  (['country', 'state', 'city'] as const).every(
    (variable) => values[variable] === undefined || sellersName(variable, values, names) !== null,
  );
