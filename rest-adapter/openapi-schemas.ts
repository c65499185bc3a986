// The schemas of all answers, each under a name: what endpoints have in common is written once, and referred to.
import type { AnyEndpoint } from './endpoint.ts';
import { type JsonSchema as Json, publishedSchema } from './published-schema.ts';

/** A reference to a part of the document's components. */
export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** `list_residential_plans` -> `ListResidentialPlans`. */
const toTypeName = (tool: string): string => tool.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The name of the schema of an endpoint's data. */
export const outputNameOf = ({ tool, outputName }: AnyEndpoint): string => outputName ?? `${toTypeName(tool)}Data`;

/** The object that a schema has: itself, that of its list, or that which may be null. */
const objectOf = ({ items, anyOf, ...schema }: Json): Json =>
  (items ?? (anyOf as Json[] | undefined)?.find(({ type }) => type === 'object') ?? schema) as Json;

/** The schemas of an endpoint's answer: its data, and the objects in it that `named` names. */
function dataSchemas(endpoint: AnyEndpoint): Record<string, Json> {
  const { output, named: names = {} } = endpoint;
  const data = publishedSchema(output, 'output');
  const named: Record<string, Json> = {};
  for (const [property, name] of Object.entries(names as Record<string, string>)) {
    named[name] = property.split('.').reduce((schema, part) => objectOf((schema['properties'] as Record<string, Json>)[part] ?? {}), data);
  }
  return { ...named, [outputNameOf(endpoint)]: data };
}

/** A schema without what it says, by which equal ones are found. */
const shapeOf = (schema: Json): string => JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value));

/** The schemas of all answers; what has a name is referred to by it, wherever it stands. */
export function answerSchemas(endpoints: readonly AnyEndpoint[]): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const [name, schema] of endpoints.flatMap((endpoint) => Object.entries(dataSchemas(endpoint)))) {
    if (shapeOf((schemas[name] ??= schema)) !== shapeOf(schema)) throw new Error(`Two schemas have the name ${name}.`);
  }
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [shapeOf(schema), name]));
  const referring = (value: unknown, isWhole = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => referring(one));
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    const name = isWhole || schema['properties'] === undefined ? undefined : names.get(shapeOf(schema));
    if (name !== undefined) return { ...ref('schemas', name), ...('description' in schema && { description: schema['description'] }) };
    return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, referring(inner)]));
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, referring(schema, true) as Json]));
}
