// A client for the platform at one address, over HTTP with persistent connections.
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SECOND } from '#platform/clock.ts';
import { traceHeaders, traced } from '#platform/tracing.ts';
import type { z } from 'zod';
import type { StaticPlanFacts } from './static-plan.ts';
import { STATIC_NETWORKS_ANSWER, STATIC_PLANS_ANSWER } from './messages.ts';

const TIMEOUT_MS = 2 * SECOND;
const MAX_ANSWER_LENGTH = 32 * 1_048_576;

export interface EdgeClientOptions {
  /** Base address. */
  url: string;
  /** The bearer token: a node's key, or a pass. */
  token: () => string | Promise<string>;
}

/** The platform answered with another status than 200. */
export class EdgeCallRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the platform answered ${status}`);
    this.status = status;
  }
}

/** The platform answered, and does not know this node's key: not an outage. */
export const isRefused = (error: unknown): boolean => error instanceof EdgeCallRefused && error.status === 401;

export interface EdgeClient {
  /** Calls the path and parses the JSON answer. POST with a body, else GET. Rejects on no answer in time, another status than 200, or another shape. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, body?: object): Promise<z.output<Shape>>;
  /** Prepares a GET with an endless answer, on a connection of its own; the caller sends it. Rejects when there is no token. */
  open(path: string, take: (response: IncomingMessage) => void): Promise<ClientRequest>;
  close(): void;
}

export function createEdgeClient({ url, token }: EdgeClientOptions): EdgeClient {
  const secure = url.startsWith('https:');
  const agent = secure ? new HttpsAgent({ keepAlive: true, maxSockets: 8 }) : new HttpAgent({ keepAlive: true, maxSockets: 8 });
  const send = secure ? httpsRequest : httpRequest;
  const headersOf = (given: string) => ({ Authorization: `Bearer ${given}` });

  const exchange = (given: string, path: string, body: object | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { ...headersOf(given), ...traceHeaders(), ...(body && { 'Content-Type': 'application/json' }) };
      const request = send(new URL(path, url), { method: body ? 'POST' : 'GET', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('error', reject);
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > MAX_ANSWER_LENGTH) request.destroy(new Error('the answer is too long'));
        });
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new EdgeCallRefused(response.statusCode ?? 0));
          else
            try {
              resolve(JSON.parse(text));
            } catch (error) {
              reject(error as Error);
            }
        });
      });
      request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('the platform did not answer in time')));
      request.on('error', reject);
      request.end(body && JSON.stringify(body));
    });

  return {
    async call(path, shape, body) {
      const given = token();
      const held = typeof given === 'string' ? given : await given;
      const name = `platform ${path.split('?', 1)[0]}`;
      return shape.parse(await traced({ name, kind: 'client' }, () => exchange(held, path, body)));
    },
    async open(path, take) {
      return send(new URL(path, url), { headers: headersOf(await token()), agent: false }, take);
    },
    close: () => agent.destroy(),
  };
}

/** Asks for all static plans that have addresses, or for these. Rejects as `call` does. */
/** Rejects as `call` does. */
export const tellStaticNetworks = async (client: Pick<EdgeClient, 'call'>, used: readonly string[]): Promise<void> =>
  void (await client.call('/edge/static-networks', STATIC_NETWORKS_ANSWER, { used }));

export async function askStaticPlans(client: Pick<EdgeClient, 'call'>, ids: readonly string[] = []): Promise<StaticPlanFacts[]> {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&');
  return client.call(`/edge/static-plans?${query}`, STATIC_PLANS_ANSWER);
}
