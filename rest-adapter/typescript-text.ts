// The TypeScript type of a JSON Schema, as text.
import type { JsonSchema } from './published-schema.ts';

/** Columns of a printed line. */
const WIDTH = 140;

/** The name that a `$ref` ends with. */
export const nameIn = (ref: unknown): string => String(ref).split('/').at(-1) ?? '';
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const OF_TYPE: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

/** A comment of one line, or of several where it is longer than a line. */
export function comment(says: unknown, indent = ''): string {
  if (typeof says !== 'string' || says === '') return '';
  const safe = says.replaceAll('*/', '* /');
  if (`${indent}/** ${safe} */`.length <= WIDTH) return `${indent}/** ${safe} */\n`;
  const lines: string[] = [];
  let line = `${indent} *`;
  for (const word of safe.split(/\s+/)) {
    if (`${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = `${indent} *`;
    }
    line += ` ${word}`;
  }
  return `${indent}/**\n${[...lines, line].join('\n')}\n${indent} */\n`;
}

export interface Property {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** `{`, a line for each property with its description, `}`. */
export function objectText(properties: readonly Property[], indent = ''): string {
  const inner = `${indent}  `;
  const lines = properties.map(({ name, schema, required }) => {
    const byDefault = schema['default'] === undefined ? '' : ` Default: ${String(schema['default'])}.`;
    const says = comment(`${typeof schema['description'] === 'string' ? schema['description'] : ''}${byDefault}`.trim(), inner);
    const key = isPlainName(name) ? name : `'${name}'`;
    return `${says}${inner}${key}${required ? '' : '?'}: ${typeText(schema, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** The properties of an object's schema. */
export function propertiesOf(schema: JsonSchema): Property[] {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    schema: property,
    required: required.includes(name),
  }));
}

/** The type of a schema; `indent` is that of the line that it stands on. */
export function typeText(schema: JsonSchema, indent = ''): string {
  if (schema['$ref'] !== undefined) return nameIn(schema['$ref']);
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ');
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(either)) return either.map((one: JsonSchema) => typeText(one, indent)).join(' | ');
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => OF_TYPE[String(one)] ?? 'unknown').join(' | ');
  if (type === 'array') return listText(typeText((schema['items'] ?? {}) as JsonSchema, indent));
  if (type !== 'object') return OF_TYPE[String(type)] ?? 'unknown';
  if (schema['properties'] !== undefined) return objectText(propertiesOf(schema), indent);
  const values = schema['additionalProperties'];
  return `Record<string, ${typeof values === 'object' && values !== null ? typeText(values as JsonSchema, indent) : 'unknown'}>`;
}

const listText = (item: string): string => (/ \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`);
