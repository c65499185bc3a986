// What one caller finds at the MCP endpoint: tools, resources and prompts.
import { McpServer, type ServerOptions } from '@modelcontextprotocol/server';
import { HOUR } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { McpCaller } from './caller.ts';
import type { OwnPlans } from './own-plans.ts';
import { registerPrompts } from './prompts.ts';
import { type Resource, registerResources } from './resources.ts';
import { type Tool, registerTools } from './tools.ts';

export interface McpServerOptions {
  tools: readonly Tool[];
  resources: readonly Resource[];
  ownPlans: OwnPlans;
  /** The name that clients show. */
  brand: string;
  version: string;
  log: Log;
  /** What is offered besides; default: nothing. */
  more?: McpExtras | undefined;
}

/** More than what the account has, for all callers: what a suite of the protocol asks a server for. */
export interface McpExtras {
  /** Reads the state that a client brings back with what it was asked for. */
  requestState?: ServerOptions['requestState'];
  offer(server: McpServer): void;
}

/** Lists are the same for all calls of a key until the next release; a client that caches them saves requests of its limit. */
const LIST = { ttlMs: HOUR, cacheScope: 'private' as const };

/** A server for one HTTP request of one caller: nothing is stored between requests, so that any process can answer each of them. */
export function createMcpServer(caller: McpCaller, options: McpServerOptions): McpServer {
  const { brand, version, more } = options;
  const server = new McpServer(
    { name: 'egress', title: brand, version },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false }, prompts: { listChanged: false } },
      ...(more?.requestState && { requestState: more.requestState }),
      cacheHints: { 'tools/list': LIST, 'resources/list': LIST, 'resources/templates/list': LIST, 'prompts/list': LIST },
      instructions:
        `Residential, ISP and datacenter proxies of one ${brand} account. Call list_residential_plans first: its product_id is the ` +
        '`product` input of the other residential tools. A failed call says in `code`, `field` and `allowed` what to change.',
    },
  );
  registerTools(server, options, caller);
  registerResources(server, options, caller);
  registerPrompts(server, caller);
  more?.offer(server);
  return server;
}
