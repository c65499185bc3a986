// Who calls the MCP endpoint in one HTTP request, what it may call, and how it is refused.
import type { Viewer } from '#platform/identity.ts';
import type { Rate } from '../../gateway/http/rate-limit.ts';
import type { AnyEndpoint } from '../endpoint.ts';

export interface McpCaller {
  viewer: Viewer;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  /** Whether the client's version of the protocol has structured content: 2025-06-18 and later, whose clients send their version in a header. */
  structured?: boolean;
  /** Told what is left of the key's budget of costs after each operation. */
  charged?(budget: Rate): void;
}

/** What needs a scope is not offered to a key that lacks it. */
export const mayCall = (viewer: Viewer, { scope }: Pick<AnyEndpoint, 'scope'>): boolean =>
  viewer.kind !== 'key' || viewer.scopes.includes(scope);

/** MCP uses the names of inputs as endpoints have them. */
export const sameName = (input: string): string => input;

/** Code of JSON-RPC 2.0 for a refusal: the first one for errors of the server. */
export const REFUSED = -32_000;
