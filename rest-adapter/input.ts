// Converts raw parameters to an endpoint's typed input, with the same rules for the text of REST and the JSON of MCP.
import { z } from 'zod';
import { type Failure, fail } from '#platform/errors.ts';
import type { AnyEndpoint, Refusal } from './endpoint.ts';

export type Input = Record<string, unknown>;

/** The name of an input in the protocol, as `meta.field` gives it. */
export type FieldName = (input: string) => string;

/** Converts text that is exactly of the type; other text is left as it is, and the schema refuses it. */
const FROM_TEXT: Record<string, (text: string) => unknown> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  // Decimal digits only: no sign, no point, no exponent, no spaces.
  integer: (text) => (/^\d+$/.test(text) ? Number(text) : text),
};

/** Compiles the function that reads an endpoint's input. The function throws a Failure that names the parameter, and ignores unknown parameters. */
export function inputReader(endpoint: AnyEndpoint): (raw: Input, fieldName: FieldName) => Input {
  const schema = endpoint.input as z.ZodObject;
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties ?? {};
  const names = Object.keys(properties);
  const converters = names.map((name) => FROM_TEXT[String((properties[name] as { type?: string }).type)]);

  return (raw, fieldName) => {
    const given: Input = {};
    names.forEach((name, index) => {
      // Assistants send null for an input that they leave out.
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

/** One failure for several faults: the first one, with the list of all in `faults`. */
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

/** Python writes True, other languages TRUE: the message names the accepted value, which is not assumed. */
function meantBoolean(field: string, given: unknown): string | undefined {
  if (typeof given !== 'string' || !/^(true|false)$/i.test(given)) return undefined;
  return `${field} must be ${given.toLowerCase()}, in lower case, not ${given}.`;
}

/** Renames the field in a failure of the graph to the protocol's name; without a field, sets the input whose refusal has the failure's code. */
export function inFieldNames(endpoint: AnyEndpoint, failure: Failure, fieldName: FieldName): Failure {
  const { field, ...meta } = failure.meta;
  const refusals = Object.entries(endpoint.refusals) as [string, Refusal][];
  const own = field === undefined ? undefined : [field, toSnakeCase(field)].find((name) => Object.hasOwn(endpoint.input.shape, name));
  const known = own ?? refusals.find(([, { code }]) => code === failure.code)?.[0];
  return fail(failure.code, { ...meta, ...(known !== undefined && { field: fieldName(known) }) }, failure.message);
}

/** `eventTypes` -> `event_types`. */
const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
