// The rest-adapter as a whole: what others mount. Everything is compiled and prepared here, once; a request only runs.
import { createHash } from 'node:crypto';
import type { Log } from '#platform/log.ts';
import type { Route } from '#platform/route.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import type { Graph } from './graph.ts';
import { createMcpRoute as mcpRoute } from './mcp.ts';
import { openApiDocument } from './openapi.ts';
import { createRestRoute } from './rest.ts';
import { prepareEndpoints } from './service.ts';

/** Of the API, not of the software: it follows the path prefix. Spec, Versioning. */
const API_VERSION = '1.0.0';

export interface RestAdapterOptions {
  graph: Graph;
  log: Log;
  config: { PUBLIC_URL: string; BRAND: string };
}

/** /v1/* and /openapi.json. Throws when an operation is not one of the graph. */
export function createRestRoutes({ graph, log, config }: RestAdapterOptions): Route[] {
  return [createRestRoute({ graph, endpoints: prepareEndpoints(graph), log }), openApiRoute(config)];
}

/** /mcp. `close` ends streams that clients keep open. */
export function createMcpRoute({ graph, log, config }: RestAdapterOptions): ReturnType<typeof mcpRoute> {
  return mcpRoute({
    graph,
    endpoints: prepareEndpoints(graph),
    log,
    publicUrl: config.PUBLIC_URL,
    brand: config.BRAND,
    version: API_VERSION,
  });
}

function openApiRoute(config: RestAdapterOptions['config']): Route {
  const document = openApiDocument(ENDPOINTS, { brand: config.BRAND, version: API_VERSION, publicUrl: config.PUBLIC_URL });
  const tag = `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)}"`;
  return {
    name: 'openapi',
    matches: (pathname) => pathname === '/openapi.json',
    handle(request, response) {
      requireMethod(request, response, 'GET', 'HEAD');
      // A public document, for browsers of any origin: API references and generators read it from elsewhere.
      const headers = {
        ETag: tag,
        'Cache-Control': 'public, max-age=300',
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      };
      if (request.headers['if-none-match'] === tag) response.writeHead(304, headers).end();
      else sendJson(response, 200, document, headers);
    },
  };
}
