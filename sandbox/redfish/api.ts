// The controllers' HTTP API under /redfish/v1. The user of a request identifies the machine: the service shows only that one.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '../random.ts';
import type { NodeBindings } from '../listener.ts';
import { withhold } from '../withhold.ts';
import { drawRedfishFault } from './faults.ts';
import type { RedfishCall, RedfishFaults } from './faults.ts';
import { switchOff, switchOn } from './life.ts';
import { type BootMode, mannersOf, refusalOf } from './makes.ts';
import { RESET_TYPES, SLOTS, mediumOf, networkOf, powerOf, settingsOf, systemOf, thermalOf, usageOf } from './resources.ts';
import type { LogIn } from './log-in.ts';
import type { Metal, RedfishState } from './state.ts';

export interface RedfishApiOptions {
  state: RedfishState;
  clock: Clock;
  random: Random;
  faults: RedfishFaults;
  logIn: LogIn;
  tick(): Promise<void>;
  changed(): void;
}

class Refusal extends Error {
  readonly status: number;
  readonly id: string;
  constructor(id: string, status = 400) {
    super(id);
    this.id = id;
    this.status = status;
  }
}

interface Call {
  machine: Metal;
  body: Record<string, unknown>;
  param(name: string): string;
  ifMatch: string | undefined;
  at: number;
}
interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  call: RedfishCall;
  /** The properties that its body may have; a dot separates nested names. */
  properties?: readonly string[];
  run(call: Call): unknown;
}

const own = ({ machine, param }: Call, name: string, suffix = ''): Metal => {
  if (param(name) !== `${machine.id}${suffix}`) throw new Refusal('Base.1.18.ResourceMissingAtURI', 404);
  return machine;
};
const slotOf = ({ param }: Call) => {
  const slot = SLOTS[param('slot')];
  if (!slot) throw new Refusal('Base.1.18.ResourceMissingAtURI', 404);
  return slot;
};
const members = (...paths: string[]) => ({
  Members: paths.map((path) => ({ '@odata.id': path })),
  'Members@odata.count': paths.length,
});

const BOOT = ['Boot.BootSourceOverrideEnabled', 'Boot.BootSourceOverrideTarget', 'Boot.BootSourceOverrideMode'];

function ownSettings(call: Call): Metal {
  const machine = own(call, 'id');
  if (!mannersOf(machine).bootAtSettings) throw new Refusal('Base.1.18.ResourceMissingAtURI', 404);
  return machine;
}

function setBoot(call: Call, at: 'system' | 'settings'): void {
  const machine = at === 'system' ? own(call, 'id') : ownSettings(call);
  const boot = call.body['Boot'] as Record<string, string>;
  const { BootSourceOverrideEnabled: enabled, BootSourceOverrideTarget: target, BootSourceOverrideMode: mode } = boot;
  const [id, status] = refusalOf(machine, at, call.ifMatch, mode) ?? [];
  if (id !== undefined) throw new Refusal(id, status);
  if (
    !['Once', 'Disabled'].includes(enabled ?? '') ||
    !['Cd', 'None'].includes(target ?? '') ||
    !['UEFI', 'Legacy', undefined].includes(mode)
  )
    throw new Refusal('Base.1.18.PropertyValueNotInList');
  machine.bootOnce = enabled === 'Once' && target === 'Cd';
  machine.changes = (machine.changes ?? 0) + 1;
  if (mode !== undefined) machine.bootMode = mode as BootMode;
  else if (mannersOf(machine).mode === 'reset') machine.bootMode = 'Legacy';
}

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/', call: 'system', run: () => ({ RedfishVersion: '1.18.0', Systems: { '@odata.id': '/redfish/v1/Systems' } }) },
  { method: 'GET', path: '/Systems', call: 'system', run: ({ machine }) => members(`/redfish/v1/Systems/${machine.id}`) },
  { method: 'GET', path: '/Systems/:id', call: 'system', run: (call) => systemOf(own(call, 'id')) },
  { method: 'PATCH', path: '/Systems/:id', call: 'boot', properties: BOOT, run: (call) => setBoot(call, 'system') },
  {
    method: 'GET',
    path: '/Systems/:id/SD',
    call: 'system',
    run: (call) => settingsOf(ownSettings(call)),
  },
  { method: 'PATCH', path: '/Systems/:id/SD', call: 'boot', properties: BOOT, run: (call) => setBoot(call, 'settings') },
  {
    method: 'POST',
    path: '/Systems/:id/Actions/ComputerSystem.Reset',
    call: 'reset',
    properties: ['ResetType'],
    run: (call) => reset(own(call, 'id'), String(call.body['ResetType']), call.at),
  },
  {
    method: 'GET',
    path: '/Managers/:id',
    call: 'media',
    run(call) {
      const { id } = own(call, 'id', '-bmc');
      return { Id: `${id}-bmc`, VirtualMedia: { '@odata.id': `/redfish/v1/Managers/${id}-bmc/VirtualMedia` } };
    },
  },
  {
    method: 'GET',
    path: '/Managers/:id/VirtualMedia',
    call: 'media',
    run(call) {
      const { id } = own(call, 'id', '-bmc');
      return members(...Object.keys(SLOTS).map((slot) => `/redfish/v1/Managers/${id}-bmc/VirtualMedia/${slot}`));
    },
  },
  {
    method: 'GET',
    path: '/Managers/:id/VirtualMedia/:slot',
    call: 'media',
    run(call) {
      slotOf(call);
      return mediumOf(own(call, 'id', '-bmc'), call.param('slot'));
    },
  },
  {
    method: 'POST',
    path: '/Managers/:id/VirtualMedia/:slot/Actions/VirtualMedia.InsertMedia',
    call: 'insert',
    properties: ['Image', 'Inserted', 'WriteProtected', 'TransferMethod', 'TransferProtocolType'],
    run(call) {
      const machine = own(call, 'id', '-bmc');
      const image = String(call.body['Image'] ?? '');
      if (!URL.canParse(image)) throw new Refusal('Base.1.18.ActionParameterValueFormatError');
      if (machine.media[slotOf(call)] !== null) throw new Refusal('Base.1.18.ResourceInUse', 409);
      machine.media[slotOf(call)] = image;
    },
  },
  {
    method: 'POST',
    path: '/Managers/:id/VirtualMedia/:slot/Actions/VirtualMedia.EjectMedia',
    call: 'eject',
    properties: [],
    run(call) {
      const machine = own(call, 'id', '-bmc');
      if (machine.media[slotOf(call)] === null) throw new Refusal('Base.1.18.ResourceCannotBeDeleted', 409);
      machine.media[slotOf(call)] = null;
    },
  },
  { method: 'GET', path: '/Chassis/:id/Power', call: 'readings', run: (call) => powerOf(own(call, 'id')) },
  { method: 'GET', path: '/Chassis/:id/Thermal', call: 'readings', run: (call) => thermalOf(own(call, 'id')) },
  { method: 'GET', path: '/TelemetryService/MetricReports/SystemUsage', call: 'readings', run: ({ machine }) => usageOf(machine) },
  {
    method: 'GET',
    path: '/TelemetryService/MetricReports/NICStatistics',
    call: 'readings',
    run: ({ machine, at }) => networkOf(machine, at),
  },
];

function reset(machine: Metal, type: string, at: number): void {
  if (!(RESET_TYPES as readonly string[]).includes(type)) throw new Refusal('Base.1.18.ActionParameterValueNotInList');
  if (type === 'On') {
    if (machine.power !== 'Off') throw new Refusal('Base.1.18.ResourceInStandby', 409);
    return switchOn(machine, at);
  }
  if (machine.power === 'Off') throw new Refusal('Base.1.18.ResourceInStandby', 409);
  const asks = type.startsWith('Graceful');
  // Only a running system notices the request to shut down.
  if (asks && (machine.deaf || (machine.running !== 'disk' && machine.running !== 'rescue'))) return;
  switchOff(machine, at, asks ? 'shut_down' : 'cut', type.endsWith('Restart'));
}

export function createRedfishApi(options: RedfishApiOptions): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>();
  for (const endpoint of ENDPOINTS) app.on(endpoint.method, endpoint.path, (c) => answer(c, endpoint, options));
  app.all('*', (c) => problem('Base.1.18.ResourceMissingAtURI', c.req.method === 'GET' ? 404 : 405));
  return app;
}

const problem = (id: string, status: number) =>
  new Response(JSON.stringify({ error: { code: 'Base.1.18.GeneralError', message: id, '@Message.ExtendedInfo': [{ MessageId: id }] } }), {
    status,
    headers: { 'content-type': 'application/json' },
  });

async function answer(c: Context<NodeBindings>, endpoint: Endpoint, options: RedfishApiOptions): Promise<Response> {
  const machine = options.logIn(c.req.header('authorization'));
  if (!machine) return problem('Base.1.18.NoValidSession', 401);
  await options.tick();
  const body = endpoint.method === 'GET' ? {} : (JSON.parse((await c.req.text()) || '{}') as Record<string, unknown>);
  const given = Object.entries(body).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? Object.keys(inner).map((key) => `${name}.${key}`) : [name],
  );
  if (given.some((name) => !endpoint.properties?.includes(name))) return problem('Base.1.18.PropertyUnknown', 400);
  const fault = drawRedfishFault(options.faults, options.random, endpoint.call);
  if (fault === 'hang') return withhold(c, 'no_answer');
  if (fault === 'error') return problem('Base.1.18.InternalError', 500);
  if (fault === 'refused') return problem('Base.1.18.ServiceTemporarilyUnavailable', 503);
  // A GET has no effect that could be missing, so this fault does not apply to it.
  if (fault === 'wrong_state' && endpoint.method !== 'GET') return c.body(null, 204);
  try {
    const result = endpoint.run({
      machine,
      body,
      param: (name) => c.req.param(name) ?? '',
      ifMatch: c.req.header('if-match'),
      at: options.clock.now().getTime(),
    });
    options.changed();
    if (fault === 'no_answer') {
      await withhold(c, 'no_answer');
      return RESPONSE_ALREADY_SENT;
    }
    const tag = (result as { '@odata.etag'?: string } | undefined)?.['@odata.etag'];
    return result === undefined ? c.body(null, 204) : c.json(result as object, 200, tag === undefined ? {} : { etag: tag });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return problem(error.id, error.status);
  }
}
