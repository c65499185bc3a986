// The router in front of the sandbox's dedicated machines, with the HTTP API of VyOS 1.4.
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { withhold } from '../withhold.ts';
import { ConfigRefusal } from './config-tree.ts';
import { type Command, Configuration, freshRouter, invalidOperation } from './router-configuration.ts';
import { type Packet, verdictOn } from './packet.ts';

export const ROUTER_FAULTS = ['hang', 'error', 'no_answer', 'locked'] as const;
/**
 * - `hang`: no effect and no answer.
 * - `error`: no effect, the answer is 500.
 * - `no_answer`: the effect happens, but no answer comes.
 * - `locked`: another commit is running; the answer is 400.
 */
export type RouterFault = (typeof ROUTER_FAULTS)[number];
export const ROUTER_ENDPOINTS = ['/retrieve', '/configure', '/config-file'] as const;
type Endpoint = (typeof ROUTER_ENDPOINTS)[number];

export interface SandboxRouter {
  readonly url: string;
  /** For the next requests of an endpoint; used up one by one, the first that fits. */
  readonly faults: { fault: RouterFault; on: Endpoint }[];
  /** Whether the committed configuration lets a packet through. */
  lets(packet: Packet): boolean;
  /** The committed configuration, as `show configuration commands` lists it. */
  commands(): string[];
  /** How many commits have changed something. */
  readonly commits: number;
  /** Sets paths with their values at the router's console, as an operator does, and saves. */
  operate(...paths: string[][]): void;
  /** Restarts from the saved configuration. */
  reboot(): void;
  close(): Promise<void>;
}

export async function startRouter(options: {
  host: string;
  port: number;
  dataDir: string | undefined;
  key: string;
  vendors: () => VendorUrls;
}): Promise<SandboxRouter> {
  const { state, changed, flush } = await openSnapshot(options.dataDir, 'router', freshRouter());
  const configuration = new Configuration(state, changed);
  const faults: SandboxRouter['faults'] = [];
  const app = vyosApi(configuration, options.key, faults);
  app.get('/', (c) => {
    const body = html`<pre>
${configuration
  .lines()
  .map((line) => `set ${line}`)
  .join('\n')}</pre>
      ${vendorLinks(options.vendors())}`;
    return c.html(page({ vendor: 'Sandbox router', title: 'Configuration', body }), 200, pageHeaders);
  });
  const listener = await listen(app, options.host, options.port);
  return {
    url: listener.url,
    faults,
    lets: (packet) => verdictOn(state.running, packet) === 'accept',
    commands: () => configuration.lines(),
    get commits() {
      return configuration.commits;
    },
    operate(...paths) {
      configuration.commit(paths.map((path) => ({ op: 'set', path })));
      configuration.save();
    },
    reboot: () => configuration.reboot(),
    async close() {
      await listener.close();
      await flush();
    },
  };
}

/** VyOS sends its JSON with the content type of HTML. */
const answer = (c: Context, status: 200 | 400 | 401 | 422 | 500, error: string | null, data: unknown = null) =>
  c.html(JSON.stringify({ success: error === null, data, error }), status);

/** The HTTP API: checks the request, then applies it to the configuration. */
function vyosApi(configuration: Configuration, key: string, faults: SandboxRouter['faults']): Hono<NodeBindings> {
  const run: Record<Endpoint, (data: Command | Command[]) => unknown> = {
    '/retrieve': (data) => configuration.retrieve(data as Command),
    '/configure': (data) => (configuration.commit([data].flat()), null),
    '/config-file': (data) => {
      if ((data as Command).op !== 'save') throw invalidOperation((data as Command).op);
      configuration.save();
      return "Saving configuration to '/config/config.boot'...\nDone\n";
    },
  };
  const app = new Hono<NodeBindings>();
  for (const endpoint of ROUTER_ENDPOINTS)
    app.post(endpoint, async (c) => {
      const index = faults.findIndex(({ on }) => on === endpoint);
      const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault;
      if (fault === 'hang') return withhold(c, 'no_answer');
      if (fault === 'error') return answer(c, 500, 'An internal error occured. Check the logs for details.');
      if (fault === 'locked') return answer(c, 400, 'Configuration system temporarily locked due to another commit in progress\n');
      const { data: text, key: given } = await c.req.parseBody();
      if (typeof text !== 'string') return answer(c, 422, 'Non-empty data field is required');
      let data: unknown;
      try {
        data = JSON.parse(text);
      } catch (error) {
        return answer(c, 400, `Failed to parse JSON: ${String(error)}`);
      }
      const malformed = [data].flat().flatMap((command) => malformedBy(command, endpoint))[0];
      if (malformed !== undefined) return answer(c, 400, malformed);
      if (given !== key) return answer(c, 401, 'Valid API key is required');
      try {
        const result = run[endpoint](data as Command | Command[]);
        return fault === 'no_answer' ? withhold(c, 'no_answer') : answer(c, 200, null, result);
      } catch (error) {
        if (error instanceof ConfigRefusal) return answer(c, 400, error.message);
        throw error;
      }
    });
  return app;
}

/** The errors of VyOS's server about the form of a command, found before it looks at the configuration. */
function malformedBy(command: unknown, endpoint: Endpoint): string[] {
  const malformed = (reason: string) => [`Malformed command '${JSON.stringify(command)}': ${reason}`];
  if (typeof command !== 'object' || command === null) return malformed('any command must be JSON of dict');
  const { op, path, value } = command as Command;
  if (op === undefined) return malformed("missing 'op' field");
  if (endpoint === '/config-file') return [];
  if (path === undefined) return malformed("missing 'path' field");
  if (!Array.isArray(path)) return malformed("'path' field must be a list");
  if (!path.every((part) => typeof part === 'string')) return malformed("'path' field must be a list of strings");
  if (endpoint === '/configure' && path.length === 0) return malformed("'path' list must be non-empty");
  if (value !== undefined && typeof value !== 'string') return malformed("'value' field must be a string");
  return [];
}
