// Raw parameters become an endpoint's typed input, by one set of rules for REST's text and for the JSON of assistants.
import { z } from 'zod';
import { type Failure, fail } from '#platform/errors.ts';
import type { AnyEndpoint, Refusal } from './endpoint.ts';

export type Input = Record<string, unknown>;

/** How a protocol calls an input: what `meta.field` says. */
export type FieldName = (input: string) => string;

/** Text that is exactly of the type; other text stays as it is, and the schema refuses it. */
const FROM_TEXT: Record<string, (text: string) => unknown> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  // Decimal digits only: no sign, no point, no exponent, no spaces.
  integer: (text) => (/^\d+$/.test(text) ? Number(text) : text),
};

/** Compiles an endpoint's reader. It throws a Failure that names the parameter, and ignores what the endpoint does not know. */
export function inputReader(endpoint: AnyEndpoint): (raw: Input, fieldName: FieldName) => Input {
  const schema = endpoint.input as z.ZodObject;
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties ?? {};
  const names = Object.keys(properties);
  const converters = names.map((name) => FROM_TEXT[String((properties[name] as { type?: string }).type)]);

  return (raw, fieldName) => {
    const given: Input = {};
    names.forEach((name, index) => {
      // Assistants write null for what they leave out.
      const value = Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined;
      if (value !== undefined) given[name] = typeof value === 'string' ? (converters[index]?.(value) ?? value) : value;
    });
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    const faults = [...new Map(result.error.issues.map((issue) => [String(issue.path[0]), issue]))].map(([name, issue]) =>
      given[name] === undefined
        ? fail('parameter_missing', { field: fieldName(name) }, `${fieldName(name)} is required.`)
        : refusalOf(endpoint, name, issue, fieldName(name), given[name]),
    );
    throw combineFailures(faults);
  };
}

/** The first of several faults, with all of them. */
export function combineFailures(faults: readonly Failure[]): Failure {
  const [first, ...others] = faults;
  if (!first) return fail('internal');
  return others.length === 0 ? first : fail(first.code, { ...first.meta, faults }, first.message);
}

function refusalOf(endpoint: AnyEndpoint, name: string, issue: z.core.$ZodIssue | undefined, field: string, given: unknown): Failure {
  const { code, message, allowed }: Refusal = endpoint.refusals[name] ?? { code: 'parameter_invalid' };
  return fail(
    code,
    { field, ...(allowed ? { allowed } : issue?.code === 'invalid_value' && { allowed: issue.values as string[] }) },
    meantBoolean(field, given) ?? message ?? (code === 'parameter_invalid' ? `${field} is not valid.` : undefined),
  );
}

/** Python writes True, others TRUE, yes or 1: what was meant is named, and not guessed at. */
function meantBoolean(field: string, given: unknown): string | undefined {
  if (typeof given !== 'string' || !/^(true|false)$/i.test(given)) return undefined;
  return `${field} must be ${given.toLowerCase()}, in lower case, not ${given}.`;
}

/** A failure of the graph in the protocol's words: its field by the protocol's name, or the one whose code it is. */
export function inFieldNames(endpoint: AnyEndpoint, failure: Failure, fieldName: FieldName): Failure {
  const { field, ...meta } = failure.meta;
  const refusals = Object.entries(endpoint.refusals) as [string, Refusal][];
  const own = field === undefined ? undefined : [field, toSnakeCase(field)].find((name) => Object.hasOwn(endpoint.input.shape, name));
  const known = own ?? refusals.find(([, { code }]) => code === failure.code)?.[0];
  return fail(failure.code, { ...meta, ...(known !== undefined && { field: fieldName(known) }) }, failure.message);
}

/** `eventTypes` -> `event_types`. */
const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
