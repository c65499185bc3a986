// The input of an endpoint, as tables of rules. Everything else is refused, nested fields too, so that a misspelt field fails here and not only at the real processor.
import { invalid } from './fault.ts';
import type { FormFields, FormValue } from './form.ts';

/** Reads one value; throws a fault that names `path`. */
export interface Rule<Value> {
  (value: FormValue, path: string): Value;
  needed?: boolean;
}
type Needed<Value> = Rule<Value> & { needed: true };
type Rules = Record<string, Rule<unknown>>;

/** The values that a table of rules returns: required ones always, the others when they were sent. */
export type Values<Fields extends Rules> = {
  [Name in keyof Fields as Fields[Name] extends Needed<unknown> ? Name : never]: ReturnType<Fields[Name]>;
} & {
  [Name in keyof Fields as Fields[Name] extends Needed<unknown> ? never : Name]?: ReturnType<Fields[Name]>;
};

export const needed = <Value>(rule: Rule<Value>): Needed<Value> =>
  Object.assign((value: FormValue, path: string) => rule(value, path), { needed: true as const });

/** Text of at most `max` characters. `unset`: an empty string, which removes the value, is allowed. */
export const text =
  (max = 5000, unset: 'unset' | 'keep' = 'keep'): Rule<string> =>
  (value, path) => {
    if (typeof value !== 'string') throw invalid(`Invalid string: ${JSON.stringify(value)}`, undefined, path);
    if (value === '' && unset === 'keep') {
      throw invalid(
        `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter, which is not possible here.`,
        'parameter_invalid_empty',
        path,
      );
    }
    if (value.length > max) throw invalid(`Invalid string: '${path}' has more than ${max} characters`, undefined, path);
    return value;
  };

export const integer =
  (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Rule<number> =>
  (value, path) => {
    if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) {
      throw invalid(`Invalid integer: ${typeof value === 'string' ? value : JSON.stringify(value)}`, 'parameter_invalid_integer', path);
    }
    const number = Number(value);
    if (number < min) throw invalid(`This value must be greater than or equal to ${min}.`, 'parameter_invalid_integer', path);
    if (number > max) throw invalid(`This value must be less than or equal to ${max}.`, 'parameter_invalid_integer', path);
    return number;
  };

export const oneOf =
  <const Value extends string>(...allowed: Value[]): Rule<Value> =>
  (value, path) => {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw invalid(`Invalid ${path}: must be one of ${allowed.join(', ')}`, undefined, path);
    return found;
  };

/** 0 to 100 with up to four decimals. */
export const percent: Rule<number> = (value, path) => {
  if (typeof value !== 'string' || !/^\d{1,3}(\.\d{1,4})?$/.test(value) || Number(value) > 100) {
    throw invalid(`Invalid decimal: ${JSON.stringify(value)}`, undefined, path);
  }
  return Number(value);
};

export const flag: Rule<boolean> = (value, path) => {
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${JSON.stringify(value)}`, undefined, path);
  return value === 'true';
};

/** `rule`, or an empty string, which removes the value and is returned as null. */
export const emptyable =
  <Value>(rule: Rule<Value>): Rule<Value | null> =>
  (value, path) =>
    value === '' ? null : rule(value, path);

/** A time in unix seconds. */
export const moment: Rule<number> = (value, path) => integer(0, 99_999_999_999)(value, path);

/** A switch that the sandbox cannot turn on: only `false` is accepted, so that no caller relies on what does not work. */
export const off: Rule<false> = (value, path) => {
  if (value !== 'false') throw invalid(`The sandbox does not support ${path}.`, undefined, path);
  return false;
};

export const email: Rule<string> = (value, path) => {
  const address = text(512)(value, path);
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw invalid(`Invalid email address: ${address}`, 'email_invalid', path);
  return address;
};

/** A URL to which a browser may be sent. */
export const webUrl: Rule<string> = (value, path) => {
  const address = text()(value, path);
  if (!/^https?:\/\/[^\s/]/.test(address) || !URL.canParse(address)) throw invalid('Not a valid URL', 'url_invalid', path);
  return address;
};

const METADATA_LIMITS = { keys: 50, keyLength: 40, valueLength: 500 };

/** Texts by name. An empty value removes its name; an empty string for the whole, returned as null, removes all. */
export const metadata: Rule<Record<string, string> | null> = (value, path) => {
  if (value === '') return null;
  const entries = Object.entries(group(value, path));
  if (entries.length > METADATA_LIMITS.keys) throw invalid(`Metadata can have up to ${METADATA_LIMITS.keys} keys.`, undefined, path);
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key.length > METADATA_LIMITS.keyLength) {
        throw invalid(`Metadata keys can have up to ${METADATA_LIMITS.keyLength} characters.`, undefined, `${path}[${key}]`);
      }
      return [key, text(METADATA_LIMITS.valueLength, 'unset')(item, `${path}[${key}]`)];
    }),
  );
};

export const list =
  <Item>(rule: Rule<Item>): Rule<Item[]> =>
  (value, path) => {
    const items = Object.entries(group(value, path));
    if (items.some(([index]) => !/^\d+$/.test(index))) throw invalid('Invalid array', undefined, path);
    return items.sort(([a], [b]) => Number(a) - Number(b)).map(([index, item]) => rule(item, `${path}[${index}]`));
  };

/** A number or a range of numbers: `created=5`, `created[gte]=5`. Returns a predicate. */
export const range: Rule<(number: number) => boolean> = (value, path) => {
  if (typeof value === 'string') {
    const exact = integer()(value, path);
    return (number) => number === exact;
  }
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = bounds(value, path);
  return (number) => number > gt && number >= gte && number < lt && number <= lte;
};
const bounds = fields({ gt: integer(), gte: integer(), lt: integer(), lte: integer() });

/** A group of named fields; unknown names are refused. */
export function fields<Fields extends Rules>(rules: Fields): Rule<Values<Fields>> {
  return (value, path) => {
    const given = group(value, path);
    const at = (name: string): string => (path === '' ? name : `${path}[${name}]`);
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(rules, name));
    if (unknown.length > 0) {
      const names = unknown.map(at).join(', ');
      throw invalid(`Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${names}`, 'parameter_unknown', at(unknown[0] ?? ''));
    }
    const values: Record<string, unknown> = {};
    for (const [name, rule] of Object.entries(rules)) {
      const item = given[name];
      if (item !== undefined) values[name] = rule(item, at(name));
      else if (rule.needed) throw invalid(`Missing required param: ${at(name)}.`, 'parameter_missing', at(name));
    }
    return values as Values<Fields>;
  };
}

/**
 * `fields` with names that are checked against the processor's own type at compile time, so that a table cannot accept what the real API does not know:
 * `fieldsOf<Stripe.CustomerCreateParams>()({ email })`.
 */
export const fieldsOf =
  <Params>() =>
  <Fields extends { [Name in keyof Fields]: Name extends keyof Params ? Rule<unknown> : never }>(rules: Fields) =>
    fields(rules);

function group(value: FormValue, path: string): FormFields {
  if (typeof value === 'string') throw invalid('Invalid object', undefined, path);
  return value;
}
