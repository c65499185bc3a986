// The MCP endpoint: Streamable HTTP for all versions of the protocol, without sessions. This file admits the caller; the SDK handles the protocol.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { readBody } from '#platform/read-body.ts';
import type { Route } from '#platform/route.ts';
import { type Rate, rateHeaders } from '../../gateway/http/rate-limit.ts';
import { callerGone, sendJson } from '#platform/respond.ts';
import { UNCOUNTED, admit, answerHeaders } from '../admission.ts';
import { toMeta } from '../envelope.ts';
import type { Graph } from '../graph.ts';
import type { ReadyEndpoint } from '../service.ts';
import { type McpCaller, REFUSED } from './caller.ts';
import { ownPlansOf } from './own-plans.ts';
import { withMetadata } from './protected-resource.ts';
import { resourcesOf } from './resources.ts';
import { type McpExtras, createMcpServer } from './server.ts';
import { toTool } from './tools.ts';

export const MCP_PATH = '/mcp';
const BODY_LIMIT = 65_536;
/** No message of the protocol is nested nearly as deep; the SDK's recursive copying overflows the stack at some thousands of levels. */
const MAX_DEPTH = 64;

/** Codes of JSON-RPC 2.0: parse error, and invalid request. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** The methods that ask the graph. */
const ASKING = ['tools/call', 'resources/read', 'completion/complete'];

export interface McpOptions {
  graph: Graph;
  endpoints: readonly ReadyEndpoint[];
  log: Log;
  /** The URL at which clients reach the service: Host and Origin may name its host name, and this machine's own names. */
  publicUrl: string;
  brand: string;
  version: string;
  more?: McpExtras | undefined;
}

export function createMcpRoute({ graph, endpoints, publicUrl, ...named }: McpOptions): Route & { close(): Promise<void> } {
  const { log } = named;
  const offered = { tools: endpoints.map(toTool), resources: resourcesOf(endpoints), ownPlans: ownPlansOf(endpoints), ...named };
  const hosts = [...new Set([new URL(publicUrl).hostname, ...localhostAllowedHostnames()])];
  const handler = () => {
    const mcp = createMcpHandler(({ authInfo }) => createMcpServer(authInfo?.extra?.['caller'] as McpCaller, offered), {
      legacy: 'stateless',
      responseMode: 'auto',
      maxRequestBodySize: BODY_LIMIT,
      onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
    });
    return { ...mcp, answer: toNodeHandler(mcp, { onerror: (error) => log.error({ err: error }, 'an MCP request failed') }) };
  };
  const calls = handler();
  // A handler of its own: closing a handler ends its open requests, and calls must still be answered.
  const streams = handler();
  let closing = false;

  return {
    name: 'mcp',
    matches: (pathname) => pathname === MCP_PATH,
    async handle(request, response, call) {
      const { requestId } = call;
      const gone = callerGone(response);
      const { viewer, failure, rate } = await admit(graph, request, call, log, { tokens: true });
      try {
        if (!allowed(request, hosts)) throw fail('origin_forbidden');
        if (failure || !viewer) throw failure ?? fail('key_missing');
        const body = request.method === 'POST' ? toMessage((await readBody(request, BODY_LIMIT)).toString('utf8')) : undefined;
        call.logFields.operation = nameOf(body);
        setHeaders(response, answerHeaders(rate, requestId));
        const caller: McpCaller = {
          viewer,
          signal: gone,
          structured: request.headers['mcp-protocol-version'] !== undefined,
          // An answer that is a stream has begun by then.
          charged: (budget) => response.headersSent || setHeaders(response, rateHeaders(rate, budget)),
        };
        // The SDK checks none of these fields: they only carry the caller to the server of this request. The key itself is not passed on.
        const auth: AuthInfo = { token: '', clientId: viewer.keyId, scopes: [...viewer.scopes], extra: { caller } };
        const isStream = (body as { method?: unknown } | undefined)?.method === 'subscriptions/listen';
        if (isStream && closing) throw fail('overloaded');
        await (isStream ? streams : calls).answer(Object.assign(request, { auth }), response, body);
      } catch (error) {
        if (gone.aborted || response.headersSent) return;
        const refused = error instanceof ProtocolFault ? error : toFailure(error);
        if (refused !== error) log.error({ requestId, err: error }, 'an MCP request failed');
        refuse(response, refused, rate, { requestId, publicUrl });
      }
    },
    refuse: (failure, _request, response, { requestId }) => refuse(response, failure, UNCOUNTED, { requestId, publicUrl }),
    async close() {
      closing = true;
      await streams.close();
    },
  };
}

/** The name of the tool that is called, or of the protocol's method. */
function nameOf(body: unknown): string {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  if (typeof method !== 'string') return 'stream';
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : method;
}

/** An error of JSON-RPC itself. */
class ProtocolFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i;

/** Refuses requests of pages that reach this server through a host name of their own (DNS rebinding) or from another site. Only browsers send Origin. */
function allowed({ headers }: IncomingMessage, hosts: string[]): boolean {
  // The SDK parses the header as part of a URL, in which `user@host` names another host.
  return HOST.test(headers.host ?? '') && validateHostHeader(headers.host, hosts).ok && validateOriginHeader(headers.origin, hosts).ok;
}

/**
 * Parses the body. One HTTP request counts once for the rate limit, so a batch, which the oldest version of the protocol allows, may ask the graph at most
 * once.
 */
function toMessage(text: string): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new ProtocolFault(PARSE_ERROR, 'The body is not JSON.');
  }
  if (depthOf(text) > MAX_DEPTH) throw new ProtocolFault(INVALID_REQUEST, `The body is nested deeper than ${MAX_DEPTH} levels.`);
  const isAsking = (part: unknown) => ASKING.includes((part as { method?: unknown } | null)?.method as string);
  if (Array.isArray(message) && message.filter(isAsking).length > 1)
    throw new ProtocolFault(INVALID_REQUEST, `A batch carries at most one of ${ASKING.join(', ')}.`);
  return message;
}

/** How deep valid JSON is nested, found in its text: a recursive walk would overflow the stack on the very input that this check refuses. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (part === '[' || part === '{') deepest = Math.max(deepest, ++depth);
    else if (part === ']' || part === '}') depth--;
  }
  return deepest;
}

function setHeaders(response: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function refuse(
  response: ServerResponse,
  refused: Failure | ProtocolFault,
  rate: Rate,
  { requestId, publicUrl }: { requestId: string; publicUrl: string },
): void {
  const failure = refused instanceof ProtocolFault ? undefined : refused;
  const headers: Record<string, string> = withMetadata(answerHeaders(rate, requestId, failure), failure, { path: MCP_PATH, publicUrl });
  // After a body that was not read completely, the connection cannot carry another request.
  if (failure?.code === 'request_too_large') headers['Connection'] = 'close';
  const [code, data] = refused instanceof ProtocolFault ? [refused.code, { request_id: requestId }] : [REFUSED, toMeta(refused, requestId)];
  sendJson(response, failure?.status ?? 400, { jsonrpc: '2.0', error: { code, message: refused.message, data }, id: null }, headers);
}
