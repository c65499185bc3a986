// Converts our schemas to JSON Schema for publication: to clients of /v1, to receivers of webhooks, and to assistants.
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** zod adds the limits of safe integers to every integer; these are not limits of ours. */
const BOUNDS = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, inner]) => !(/^(minimum|maximum)$/.test(name) && BOUNDS.has(inner as number)));
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutBounds(inner)]));
}

/** `io`: whether the schema describes what is accepted or what is answered. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return withoutBounds(rest) as JsonSchema;
}

/** The same, but without `additionalProperties: false`, since properties may be added later. */
export function openSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { additionalProperties: _, ...rest } = publishedSchema(schema, io);
  return rest;
}
