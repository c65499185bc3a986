// The six endpoints as tools of the Model Context Protocol: what is published of each, and how an answer is written.
import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { HOUR } from '#platform/clock.ts';
import { type Failure, toFailure } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { toMeta } from './envelope.ts';
import type { ReadyEndpoint } from './service.ts';

type JsonSchema = Record<string, unknown>;

/** A failed call's structured content: the same codes and allowed values as `meta` of a REST error. */
const FAILURE = z.object({
  code: z.string().describe('One of a closed list of error codes.'),
  message: z.string().describe('What is wrong, in a sentence.'),
  request_id: z.string(),
  field: z.string().optional().describe('The input that is wrong.'),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Values that would be accepted, or the nearest of them.'),
  retryable: z.literal(true).optional(),
  retry_after_seconds: z.int().optional(),
});

/**
 * A JSON Schema as the SDK takes schemas, published and not enforced: the endpoint's own reader checks inputs, because its refusals carry codes;
 * what we answer is not checked once more on the way out (10,000 lines), tests do that.
 */
const published = (schema: JsonSchema): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'egress',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, additionalProperties: __, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return rest;
};

/** Clients check structured content against the output schema for failed calls too, so the schema allows either. */
function outputSchemaOf(endpoint: AnyEndpoint): JsonSchema {
  const success = jsonSchemaOf(endpoint.output, 'output');
  const failure = jsonSchemaOf(FAILURE, 'output');
  return {
    type: 'object',
    properties: { ...(success['properties'] as object), ...(failure['properties'] as object) },
    anyOf: [{ required: success['required'] }, { required: failure['required'] }],
  };
}

/** A tool as it is registered. */
export type Tool = ReturnType<typeof toTool>;

export const toTool = (ready: ReadyEndpoint) => {
  const { endpoint } = ready;
  return {
    ready,
    config: {
      title: endpoint.title,
      description: endpoint.description,
      inputSchema: published(jsonSchemaOf(endpoint.input, 'input')),
      outputSchema: published(outputSchemaOf(endpoint)),
      annotations: {
        title: endpoint.title,
        readOnlyHint: endpoint.readOnly,
        destructiveHint: false,
        idempotentHint: endpoint.readOnly,
        openWorldHint: false,
      },
    },
  };
};

const toResult = (structuredContent: object, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent: structuredContent as Record<string, unknown>,
  ...(isError && { isError }),
});

const toErrorResult = (failure: Failure, requestId: string): CallToolResult => {
  const { code, ...rest } = toMeta(failure, requestId);
  return toResult({ code, message: failure.message, ...rest }, true);
};

export interface McpCaller {
  viewer: Viewer;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
}

export interface McpServerOptions {
  /** The name that clients show. */
  brand: string;
  version: string;
  log: Log;
}

/** A server for one HTTP request of one caller: nothing is stored between requests, so any process can answer any of them. */
export function createMcpServer(
  tools: readonly Tool[],
  { viewer, signal }: McpCaller,
  { brand, version, log }: McpServerOptions,
): McpServer {
  const server = new McpServer(
    { name: 'egress', title: brand, version },
    {
      capabilities: { tools: { listChanged: false } },
      // The same for every caller, until the next release: clients that cache it save a unit of their limit.
      cacheHints: { 'tools/list': { ttlMs: HOUR, cacheScope: 'public' } },
      instructions:
        `Residential, ISP and datacenter proxies of one ${brand} account. Call list_residential_plans first: its product_id is the ` +
        '`product` input of the other residential tools. A failed call says in `code`, `field` and `allowed` what to change.',
    },
  );
  for (const { ready, config } of tools) {
    server.registerTool(ready.endpoint.tool, config, async (given: unknown): Promise<CallToolResult> => {
      try {
        return toResult(await ready.call({ raw: given as Record<string, unknown>, fieldName: (input) => input, viewer, signal }), false);
      } catch (error) {
        const failure = toFailure(error);
        if (failure !== error) log.error({ requestId: viewer.requestId, tool: ready.endpoint.tool, err: error }, 'a tool call failed');
        return toErrorResult(failure, viewer.requestId);
      }
    });
  }
  return server;
}
