// The endpoints as tools of the Model Context Protocol: their published descriptions and their answers.
import type { CallToolResult, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { nearName } from '#platform/near-name.ts';
import type { AnyEndpoint } from '../endpoint.ts';
import { toMeta } from '../envelope.ts';
import { combineFailures } from '../input.ts';
import { type JsonSchema, openSchema } from '../published-schema.ts';
import type { ReadyEndpoint } from '../service.ts';
import { type McpCaller, mayCall, sameName } from './caller.ts';
import type { OwnPlans } from './own-plans.ts';
import { BATCHES } from './resources.ts';

/** The structured content of a failed call: the same codes and allowed values as in `meta` of a REST error. */
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
  required_scope: z.string().optional().describe('What the API key would need.'),
  faults: z.array(z.object({}).loose()).optional().describe('Everything that is wrong, where it is more than one thing.'),
  docs: z.string().optional().describe('Path of the page about the code.'),
  retry_after_seconds: z.int().optional(),
});

/**
 * A JSON Schema in the form that the SDK requires, published but not enforced: the endpoint's own reader checks inputs, since its refusals carry codes.
 * Answers, which may have 10,000 lines, are not checked when they are sent; tests do that.
 */
const published = (schema: JsonSchema): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'egress',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

/** Clients check the structured content of failed calls against the output schema too, so the schema allows both. */
function outputSchemaOf(endpoint: AnyEndpoint): JsonSchema {
  const success = openSchema(endpoint.output, 'output');
  const failure = openSchema(FAILURE, 'output');
  return {
    type: 'object',
    properties: { ...(success['properties'] as object), ...(failure['properties'] as object) },
    anyOf: [{ required: success['required'] }, { required: failure['required'] }],
  };
}

/** A tool in the form in which it is registered. */
export type Tool = ReturnType<typeof toTool>;

export const toTool = (ready: ReadyEndpoint) => {
  const { endpoint } = ready;
  return {
    ready,
    config: {
      title: endpoint.title,
      description: endpoint.description,
      inputSchema: published({ ...openSchema(endpoint.input, 'input'), additionalProperties: false }),
      outputSchema: published(outputSchemaOf(endpoint)),
      annotations: {
        title: endpoint.title,
        readOnlyHint: endpoint.readOnly,
        destructiveHint: endpoint.destructive === true,
        idempotentHint: endpoint.readOnly,
        openWorldHint: false,
      },
    },
  };
};

const toResult = (structuredContent: object, isError: boolean, text = JSON.stringify(structuredContent)): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: structuredContent as Record<string, unknown>,
  ...(isError && { isError }),
});

/**
 * A conversation has no room for ten thousand lines twice: with more lines than this, a client that reads structured content gets as text only a summary,
 * and a link to the lines as a resource.
 */
const SUMMARY_FROM_LINES = 200;
const SUMMARY_LINES = 5;

function toSuccessResult(data: object, structured: boolean): CallToolResult {
  const { proxies, count, batch_id } = data as { proxies?: string[]; count?: number; batch_id?: string };
  if (!structured || proxies === undefined || batch_id === undefined || proxies.length <= SUMMARY_FROM_LINES) return toResult(data, false);
  const shown = proxies.slice(0, SUMMARY_LINES).join('\n');
  const summary = `${count} lines; the first ${SUMMARY_LINES}:\n${shown}\nAll are in structuredContent.proxies. Each is a working password.`;
  const result = toResult(data, false, summary);
  const link = {
    type: 'resource_link' as const,
    uri: BATCHES.uriOf(batch_id),
    name: batch_id,
    title: `${count} lines`,
    mimeType: BATCHES.mimeType,
  };
  return { ...result, content: [...result.content, link] };
}

/** Inputs of a call that the tool does not have. They are refused, since an assistant would otherwise believe that they had an effect. */
function unknownInputs({ input }: AnyEndpoint, given: Record<string, unknown>): Failure[] {
  const known = Object.keys(input.shape);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, 10)
    .map((name) => {
      const meant = nearName(name, known);
      const shown = name.slice(0, 40);
      return fail(
        'parameter_invalid',
        { field: shown, allowed: meant === undefined ? known : [meant] },
        meant === undefined ? `There is no input ${shown}.` : `There is no input ${shown}; the nearest is ${meant}.`,
      );
    });
}

const toErrorResult = (failure: Failure, requestId: string): CallToolResult => {
  const { code, ...rest } = toMeta(failure, requestId);
  return toResult({ code, message: failure.message, ...rest }, true);
};

/** Adds the account's plans to the failure of an unknown plan, since assistants often give the product's name instead of the id. */
async function withOwnPlans(
  ownPlans: OwnPlans,
  failure: Failure,
  { product }: Record<string, unknown>,
  caller: Pick<McpCaller, 'viewer' | 'signal'>,
): Promise<Failure> {
  if (failure.code !== 'plan_not_found' || typeof product !== 'string') return failure;
  try {
    const plans = await ownPlans(caller);
    const named = plans.filter(({ product_name }) => product_name.toLowerCase() === product.toLowerCase());
    const meant = (named.length > 0 ? named : plans).slice(0, 20);
    if (meant.length === 0) return failure;
    const said = meant.map(({ product_id, product_name, status }) => `${product_id} (${product_name}, ${status})`).join(', ');
    const allowed = meant.map(({ product_id }) => product_id);
    return fail('plan_not_found', { ...failure.meta, allowed }, `The account has no such plan. product is one of: ${said}.`);
  } catch {
    return failure;
  }
}

/** Offers the tools that the caller's key may call. */
export function registerTools(
  server: McpServer,
  { tools, ownPlans, log }: { tools: readonly Tool[]; ownPlans: OwnPlans; log: Log },
  { viewer, signal, structured = false, charged }: McpCaller,
): void {
  for (const { ready, config } of tools.filter(({ ready: { endpoint } }) => mayCall(viewer, endpoint))) {
    server.registerTool(ready.endpoint.tool, config, async (given: unknown): Promise<CallToolResult> => {
      try {
        const raw = given as Record<string, unknown>;
        const unknown = unknownInputs(ready.endpoint, raw);
        if (unknown.length > 0) throw combineFailures(unknown);
        const { data, budget } = await ready.call({ raw, fieldName: sameName, viewer, signal });
        if (budget) charged?.(budget);
        return toSuccessResult(data, structured);
      } catch (error) {
        const failure = await withOwnPlans(ownPlans, toFailure(error), given as Record<string, unknown>, { viewer, signal });
        if (toFailure(error) !== error)
          log.error({ requestId: viewer.requestId, tool: ready.endpoint.tool, err: error }, 'a tool call failed');
        return toErrorResult(failure, viewer.requestId);
      }
    });
  }
}
