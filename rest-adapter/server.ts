// The routes of the rest-adapter, for others to mount. Everything is compiled and prepared once, here.
import type { Log } from '#platform/log.ts';
import type { Route } from '#platform/route.ts';
import { ANY_SITE, cachedAnswer, requireMethod, sendCached } from '#platform/respond.ts';
import { createDocsRoute } from './docs/docs-route.ts';
import type { DocsOptions } from './docs/site.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import type { Graph } from './graph.ts';
import { createProtectedResourceRoute } from './mcp/protected-resource.ts';
import { MCP_PATH, createMcpRoute } from './mcp/route.ts';
import type { McpExtras } from './mcp/server.ts';
import { openApiDocument } from './openapi.ts';
import { createRestRoute } from './rest.ts';
import { prepareEndpoints } from './service.ts';

/** The version of the API, not of the software: it follows the path prefix. Spec, Versioning. */
const API_VERSION = '1.0.0';

export interface RestAdapterOptions {
  graph: Graph;
  log: Log;
  config: { PUBLIC_URL: string; BRAND: string };
  /** What the documents show of this installation. */
  docs: Pick<DocsOptions, 'proxyRules' | 'colours'>;
}

/** Routes for /v1/*, /openapi.json and the documents. Throws when an operation is not valid on the graph. */
export function createRestRoutes({ graph, log, config, docs }: RestAdapterOptions): Route[] {
  const { PUBLIC_URL: publicUrl, BRAND: brand } = config;
  return [
    createRestRoute({ graph, endpoints: prepareEndpoints(graph), log }),
    openApiRoute(config),
    createDocsRoute({ endpoints: ENDPOINTS, brand, publicUrl, ...docs }),
  ];
}

/** The routes for /mcp and the document that tells OAuth clients of it. `close` of the first ends the streams that clients keep open. */
export function createMcpRoutes({
  graph,
  log,
  config: { PUBLIC_URL: publicUrl, BRAND: brand },
  more,
}: Omit<RestAdapterOptions, 'docs'> & { more?: McpExtras | undefined }): [mcp: ReturnType<typeof createMcpRoute>, ...described: Route[]] {
  return [
    createMcpRoute({ graph, endpoints: prepareEndpoints(graph), log, publicUrl, brand, version: API_VERSION, more }),
    createProtectedResourceRoute({ path: MCP_PATH, publicUrl, brand, endpoints: ENDPOINTS }),
  ];
}

function openApiRoute(config: RestAdapterOptions['config']): Route {
  const document = openApiDocument(ENDPOINTS, { brand: config.BRAND, version: API_VERSION, publicUrl: config.PUBLIC_URL });
  const answer = cachedAnswer(JSON.stringify(document), 'application/json; charset=utf-8', ANY_SITE);
  return {
    name: 'openapi',
    matches: (pathname) => pathname === '/openapi.json',
    async handle(request, response) {
      requireMethod(request, response, 'GET', 'HEAD');
      await sendCached(request, response, answer);
    },
  };
}
