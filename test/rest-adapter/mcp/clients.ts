// A client of each protocol generation: the official SDK (initialize, up to 2025-11-25), and plain HTTP as 2026-07-28 describes it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Loose } from '../world.ts';

export interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: Loose;
  isError?: boolean;
}

export interface ToolDescription {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Loose;
  outputSchema?: Loose;
  annotations?: Record<string, unknown>;
}

export interface McpClient {
  tools(): Promise<ToolDescription[]>;
  call(name: string, args?: unknown): Promise<ToolResult>;
  close(): Promise<void>;
}

export async function sdkClient(url: string, key: string): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as never);
  return {
    // Listing also makes the client check structured content against the output schemas.
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as ToolResult,
    close: () => client.close(),
  };
}

export const MODERN = '2026-07-28';

/** One request of the 2026-07-28 protocol. `change` replaces members of the message, `headers` adds or replaces headers. */
export function modernRequest(
  url: string,
  key: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  init: RequestInit = {},
): Promise<Response> {
  const named = params['name'] ?? params['uri'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return fetch(`${url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } }),
    ...init,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...init.headers,
    },
  });
}

export async function modernClient(url: string, key: string): Promise<McpClient> {
  const ask = async (method: string, params: Record<string, unknown> = {}) => {
    const response = await modernRequest(url, key, method, params);
    const { result, error } = (await response.json()) as { result?: Loose; error?: { code: number; message: string } };
    if (error) throw new Error(`MCP error ${error.code}: ${error.message}`);
    return result;
  };
  return {
    tools: async () => (await ask('tools/list')).tools,
    call: (name, args = {}) => ask('tools/call', { name, arguments: args }),
    close: async () => {},
  };
}

export const GENERATIONS: [string, (url: string, key: string) => Promise<McpClient>][] = [
  ['2025-11-25, spoken by the official SDK', sdkClient],
  ['2026-07-28, by plain HTTP', modernClient],
];
