// The hypervisor's HTTP API under /api2/json: checks the token and the parameters, applies faults, then runs the function in `calls.ts`.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '../random.ts';
import type { NodeBindings } from '../listener.ts';
import { withhold } from '../withhold.ts';
import { Refusal } from './call.ts';
import { CALLS } from './calls.ts';
import { FIREWALL_CALLS } from './firewall-calls.ts';
import type { Logins } from './logins.ts';
import { MOVE_CALLS } from './move-calls.ts';
import { PERMISSIONS } from './permissions.ts';
import { STORAGE_CALLS } from './storage-calls.ts';
import { TEMPLATE_CALLS } from './template-calls.ts';
import { readUpload } from './upload.ts';
import type { Call } from './call.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { Endpoint, EndpointName } from './endpoints.ts';
import { drawHypervisorFault } from './faults.ts';
import type { HypervisorFaults } from './faults.ts';
import type { HypervisorState } from './state.ts';

export interface HypervisorApiOptions {
  state: HypervisorState;
  clock: Clock;
  random: Random;
  faults: HypervisorFaults;
  logins: Logins;
  /** Processes everything that is due by the clock. */
  tick(): Promise<void>;
  changed(): void;
}

export function createHypervisorApi(options: HypervisorApiOptions): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>();
  app.use('*', async (c, next) => {
    const signsIn = c.req.method === 'POST' && c.req.path.endsWith('/access/ticket');
    const refused = signsIn ? undefined : options.logins.refusal(c.req.raw.headers, c.req.method);
    if (refused !== undefined) return c.json({ data: null, message: `${refused}\n` }, 401);
    await options.tick();
    return next();
  });
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { method, path } = ENDPOINTS[name];
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => answer(c, name, options));
  }
  app.all('*', (c) => c.json({ data: null, message: `Method '${c.req.method} ${c.req.path}' not implemented\n` }, 501));
  return app;
}

const EVERY_CALL = { ...CALLS, ...FIREWALL_CALLS, ...MOVE_CALLS, ...STORAGE_CALLS, ...TEMPLATE_CALLS };

async function answer(c: Context<NodeBindings>, name: EndpointName, options: HypervisorApiOptions): Promise<Response> {
  const { state } = options;
  const upload = name === 'upload' ? await readUpload(c.req.raw.headers, () => c.req.arrayBuffer()).catch(refusalOf) : undefined;
  if (upload instanceof Refusal) return refused(upload);
  const given = upload?.given ?? (await parametersOf(c));
  const endpoint: Endpoint = ENDPOINTS[name];
  const unknown = Object.keys(given).filter((parameter) => !endpoint.parameters.includes(parameter));
  if (unknown.length > 0) {
    const errors = Object.fromEntries(
      unknown.map((parameter) => [parameter, 'property is not defined in schema and the schema does not allow additional properties']),
    );
    return c.json({ data: null, errors, message: 'Parameter verification failed.\n' }, 400);
  }
  const node = c.req.param('node');
  const fault = drawHypervisorFault(options.faults, options.random, name);
  if (fault === 'node_down' && node !== undefined && !state.down.includes(node)) {
    state.down.push(node);
    options.changed();
    await options.tick();
  }
  if (node !== undefined && state.down.includes(node))
    return new Response(JSON.stringify({ data: null, message: `hostname lookup '${node}' failed - no route to host\n` }), {
      status: 595,
      headers: { 'content-type': 'application/json' },
    });
  if (fault === 'hang') return withhold(c, 'no_answer');
  if (fault === 'error') return c.json({ data: null, message: 'got timeout\n' }, 500);
  const call: Call = {
    path: c.req.param() as Record<string, string>,
    given,
    ...(upload && { bytes: upload.bytes }),
    at: options.clock.now().getTime(),
    user: options.logins.userOf(c.req.raw.headers) ?? '',
    fate: fault === 'half' ? 'half' : fault === 'lost_task' ? 'lost' : fault === 'wrong_state' ? 'idle' : 'ok',
  };
  // pve-cluster 8.0, PVE/Cluster.pm, check_cfs_quorum: all requests that write are refused.
  if (state.withoutQuorum && endpoint.method !== 'GET' && name !== 'ticket')
    return c.json({ data: null, message: 'cluster not ready - no quorum?\n' }, 500);
  try {
    const data = (name === 'ticket' && options.logins.signIn(given)) || (await permitted(name, state, call));
    options.changed();
    if (fault === 'no_answer') {
      await withhold(c, 'no_answer');
      return RESPONSE_ALREADY_SENT;
    }
    return c.json({ data });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    options.changed();
    return refused(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Refusal)) throw error;
  return error;
}

const refused = ({ message, status, errors }: Refusal): Response =>
  new Response(JSON.stringify({ data: null, message: `${message}\n`, ...(errors && { errors }) }), {
    status,
    headers: { 'content-type': 'application/json' },
  });

function permitted(name: EndpointName, state: HypervisorState, call: Call): unknown {
  PERMISSIONS[name]?.(state, call);
  return EVERY_CALL[name](state, call);
}

/** The parameters of the query or of the body, which is JSON or a form; every value as text. */
async function parametersOf(c: Context<NodeBindings>): Promise<Record<string, string>> {
  const query = c.req.query();
  if (c.req.method === 'GET' || c.req.method === 'DELETE') return query;
  const text = await c.req.text();
  if (!c.req.header('content-type')?.startsWith('application/json')) return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
  const body = JSON.parse(text || '{}') as Record<string, unknown>;
  return { ...query, ...Object.fromEntries(Object.entries(body).map(([key, value]) => [key, String(value)])) };
}
