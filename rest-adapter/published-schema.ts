// A schema of ours as JSON Schema, as it is published: to clients of /v1, to those that take webhooks, and to assistants.
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** What JavaScript can count to is no bound of ours. */
const BOUNDS = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, inner]) => !(/^(minimum|maximum)$/.test(name) && BOUNDS.has(inner as number)));
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutBounds(inner)]));
}

/** Of what is taken, or of what is answered. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return withoutBounds(rest) as JsonSchema;
}

/** The same, which may have more properties some day. */
export function openSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { additionalProperties: _, ...rest } = publishedSchema(schema, io);
  return rest;
}
