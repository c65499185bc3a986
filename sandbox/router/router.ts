// The router in front of the sandbox's dedicated machines, speaking the HTTP API of VyOS 1.4.
import { isDeepStrictEqual } from 'node:util';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { withhold } from '../withhold.ts';
import { ConfigRefusal, type ConfigTree, checkFirewall, deletePath, linesOf, lookUp, setPath } from './config-tree.ts';
import { type Packet, verdictOn } from './packet.ts';

export const ROUTER_FAULTS = ['hang', 'error', 'no_answer', 'locked'] as const;
/**
 * - `hang`: nothing happens, and no answer comes.
 * - `error`: nothing happens, the answer is 500.
 * - `no_answer`: it happens, and no answer comes.
 * - `locked`: somebody else commits; the answer is 400.
 */
export type RouterFault = (typeof ROUTER_FAULTS)[number];
export const ROUTER_ENDPOINTS = ['/retrieve', '/configure', '/config-file'] as const;
type Endpoint = (typeof ROUTER_ENDPOINTS)[number];

export interface SandboxRouter {
  readonly url: string;
  /** The next requests of an endpoint; used up one by one, the first that fits. */
  readonly faults: { fault: RouterFault; on: Endpoint }[];
  /** Whether it would let a packet through, by what is committed. */
  lets(packet: Packet): boolean;
  /** What is committed, as `show configuration commands` lists it. */
  commands(): string[];
  /** How many commits have changed something. */
  readonly commits: number;
  /** What an operator sets at its console, and saves; each a path with its value. */
  operate(...paths: string[][]): void;
  /** It starts again, from what was saved. */
  reboot(): void;
  close(): Promise<void>;
}

interface RouterState {
  running: ConfigTree;
  saved: ConfigTree;
}
interface Command {
  op?: unknown;
  path?: unknown;
  value?: unknown;
}

const FRESH: ConfigTree = { firewall: { ipv4: { forward: { filter: { 'default-action': 'accept' } } } } };

export async function startRouter(options: {
  host: string;
  port: number;
  dataDir: string | undefined;
  key: string;
  vendors: () => VendorUrls;
}): Promise<SandboxRouter> {
  const fresh: RouterState = { running: structuredClone(FRESH), saved: structuredClone(FRESH) };
  const { state, changed, flush } = await openSnapshot(options.dataDir, 'router', fresh);
  const faults: SandboxRouter['faults'] = [];
  let commits = 0;

  /** All of them or none. */
  function commit(commands: readonly Command[]): void {
    const next = structuredClone(state.running);
    for (const { op, path, value } of commands) {
      const whole = [...(path as string[]), ...(value === undefined ? [] : [String(value)])];
      if (op === 'set') setPath(next, whole);
      else if (op === 'delete') deletePath(next, whole);
      else throw new ConfigRefusal(`'${String(op)}' is not a valid operation`);
    }
    checkFirewall(next);
    if (isDeepStrictEqual(next, state.running)) return;
    state.running = next;
    commits++;
    changed();
  }
  function retrieve({ op, path }: Command): unknown {
    const found = lookUp(state.running, path as string[]);
    if (op === 'exists') return found !== undefined;
    if (op !== 'showConfig') throw new ConfigRefusal(`'${String(op)}' is not a valid operation`);
    if (found === undefined) throw new ConfigRefusal('Configuration under specified path is empty\n\n');
    return found;
  }
  const run: Record<Endpoint, (data: Command | Command[]) => unknown> = {
    '/retrieve': (data) => retrieve(data as Command),
    '/configure': (data) => (commit([data].flat()), null),
    '/config-file': (data) => {
      if ((data as Command).op !== 'save') throw new ConfigRefusal(`'${String((data as Command).op)}' is not a valid operation`);
      state.saved = structuredClone(state.running);
      changed();
      return "Saving configuration to '/config/config.boot'...\nDone\n";
    },
  };

  const app = new Hono<NodeBindings>();
  // VyOS answers JSON that it calls HTML.
  const answer = (c: Context, status: 200 | 400 | 401 | 422 | 500, error: string | null, data: unknown = null) =>
    c.html(JSON.stringify({ success: error === null, data, error }), status);
  for (const endpoint of ROUTER_ENDPOINTS)
    app.post(endpoint, async (c) => {
      const index = faults.findIndex(({ on }) => on === endpoint);
      const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault;
      if (fault === 'hang') return withhold(c, 'no_answer');
      if (fault === 'error') return answer(c, 500, 'An internal error occured. Check the logs for details.');
      if (fault === 'locked') return answer(c, 400, 'Configuration system temporarily locked due to another commit in progress\n');
      const { data: text, key } = await c.req.parseBody();
      if (typeof text !== 'string') return answer(c, 422, 'Non-empty data field is required');
      let data: unknown;
      try {
        data = JSON.parse(text);
      } catch (error) {
        return answer(c, 400, `Failed to parse JSON: ${String(error)}`);
      }
      const malformed = [data].flat().flatMap((command) => malformedBy(command, endpoint))[0];
      if (malformed !== undefined) return answer(c, 400, malformed);
      if (key !== options.key) return answer(c, 401, 'Valid API key is required');
      try {
        const result = run[endpoint](data as Command | Command[]);
        return fault === 'no_answer' ? withhold(c, 'no_answer') : answer(c, 200, null, result);
      } catch (error) {
        if (error instanceof ConfigRefusal) return answer(c, 400, error.message);
        throw error;
      }
    });
  app.get('/', (c) => {
    const body = html`<pre>
${linesOf(state.running)
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
    commands: () => linesOf(state.running),
    get commits() {
      return commits;
    },
    operate(...paths) {
      commit(paths.map((path) => ({ op: 'set', path })));
      state.saved = structuredClone(state.running);
    },
    reboot() {
      state.running = structuredClone(state.saved);
      changed();
    },
    async close() {
      await listener.close();
      await flush();
    },
  };
}

/** What the vendor's server says of a command before it looks at the configuration. */
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
