// Tells OAuth clients where they may get a token for the MCP endpoint. RFC 9728.
import type { Failure } from '#platform/errors.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import type { AnyEndpoint } from '../endpoint.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export interface ProtectedResource {
  /** The path of the MCP endpoint. */
  path: string;
  publicUrl: string;
  brand: string;
  endpoints: readonly Pick<AnyEndpoint, 'scope'>[];
}

/** `GET /.well-known/oauth-protected-resource/mcp`, and without the path for clients that ask there. Pages of any origin may read it. */
export function createProtectedResourceRoute({ path, publicUrl, brand, endpoints }: ProtectedResource): Route {
  const document = {
    resource: new URL(path, publicUrl).href,
    authorization_servers: [new URL(publicUrl).origin],
    scopes_supported: [...new Set(endpoints.map(({ scope }) => scope))],
    bearer_methods_supported: ['header'],
    resource_name: `${brand} MCP`,
    resource_documentation: new URL('/docs', publicUrl).href,
  };
  return {
    name: 'mcp',
    matches: (pathname) => pathname === WELL_KNOWN || pathname === `${WELL_KNOWN}${path}`,
    handle(request, response) {
      requireMethod(request, response, 'GET', 'HEAD');
      sendJson(response, 200, document, { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' });
    },
  };
}

/** The header of a 401 with the address of that document, so that a client without a key can begin to sign in. */
export const withMetadata = (
  headers: Record<string, string>,
  failure: Failure | undefined,
  { path, publicUrl }: Pick<ProtectedResource, 'path' | 'publicUrl'>,
) =>
  failure?.status === 401
    ? {
        ...headers,
        'WWW-Authenticate': `${headers['WWW-Authenticate']}, resource_metadata="${new URL(`${WELL_KNOWN}${path}`, publicUrl).href}"`,
      }
    : headers;
