// What an assistant may read without calling a tool: the answers of some reading endpoints, by address.
import {
  type McpServer,
  ProtocolError,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  UriTemplate,
} from '@modelcontextprotocol/server';
import { toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { toMeta } from '../envelope.ts';
import type { ReadyEndpoint } from '../service.ts';
import { REFUSED, type McpCaller, mayCall, sameName } from './caller.ts';
import type { OwnPlans } from './own-plans.ts';

/** The lines of a generation: one text, as programs take it. */
export const BATCHES = { uriOf: (batch: string) => `egress://batches/${batch}`, mimeType: 'text/plain' };

interface Row {
  /** The tool whose answer it is. */
  tool: string;
  /** Its variables are inputs of the tool. */
  uri: string;
  mimeType: string;
  text(data: object): string;
}

const asJson = (tool: string, uri: string): Row => ({ tool, uri, mimeType: 'application/json', text: (data) => JSON.stringify(data) });

/** Lists in pages are no resources: a client would take the first page for all. */
const ROWS: readonly Row[] = [
  asJson('list_residential_plans', 'egress://plans'),
  asJson('get_subscriptions', 'egress://subscriptions'),
  asJson('get_residential_usage', 'egress://plans/{product}/usage'),
  asJson('get_residential_statistics', 'egress://plans/{product}/statistics'),
  asJson('list_locations', 'egress://plans/{product}/locations'),
  asJson('get_server', 'egress://servers/{server}'),
  {
    tool: 'get_proxy_batch',
    uri: BATCHES.uriOf('{batch}'),
    mimeType: BATCHES.mimeType,
    text: (data) => (data as { proxies: string[] }).proxies.join('\n'),
  },
];

export interface Resource extends Row {
  ready: ReadyEndpoint;
  /** Undefined: the address has no variables. */
  template: UriTemplate | undefined;
}

/** The resources over these endpoints. */
export const resourcesOf = (endpoints: readonly ReadyEndpoint[]): Resource[] =>
  ROWS.flatMap((row) => {
    const ready = endpoints.find(({ endpoint }) => endpoint.tool === row.tool);
    return ready ? [{ ...row, ready, template: row.uri.includes('{') ? new UriTemplate(row.uri) : undefined }] : [];
  });

/** Offers the resources whose endpoints the caller's key may call. */
export function registerResources(
  server: McpServer,
  { resources, ownPlans, log }: { resources: readonly Resource[]; ownPlans: OwnPlans; log: Log },
  caller: McpCaller,
): void {
  const byPlan = {
    product: async (typed: string) => (await ownPlans(caller)).map((plan) => plan.product_id).filter((id) => id.startsWith(typed)),
  };
  for (const resource of resources.filter(({ ready: { endpoint } }) => mayCall(caller.viewer, endpoint))) {
    const { ready, uri, template, mimeType } = resource;
    const { tool, title, description } = ready.endpoint;
    const config = { title, description, mimeType };
    if (template) {
      const complete = template.variableNames.includes('product') ? byPlan : {};
      server.registerResource(tool, new ResourceTemplate(template, { list: undefined, complete }), config, (at, variables) =>
        read(resource, at.href, variables, caller, log),
      );
    } else server.registerResource(tool, uri, config, (at) => read(resource, at.href, {}, caller, log));
  }
}

/** Errors: what is not there is "resource not found"; any other failure carries its code, as a refused tool call does. */
async function read(
  { ready, mimeType, text }: Resource,
  uri: string,
  raw: Record<string, unknown>,
  { viewer, signal, charged }: McpCaller,
  log: Log,
): Promise<ReadResourceResult> {
  try {
    const { data, budget } = await ready.call({ raw, fieldName: sameName, viewer, signal });
    if (budget) charged?.(budget);
    return { contents: [{ uri, mimeType, text: text(data) }] };
  } catch (error) {
    const failure = toFailure(error);
    if (failure !== error) log.error({ requestId: viewer.requestId, resource: uri, err: error }, 'reading a resource failed');
    if (failure.status === 404) throw new ResourceNotFoundError(uri, failure.message);
    throw new ProtocolError(REFUSED, failure.message, toMeta(failure, viewer.requestId));
  }
}
