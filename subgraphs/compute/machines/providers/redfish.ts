// Redfish (DMTF DSP0266) as our way to bare metal. Nothing is assumed about addresses below /redfish/v1: resources are followed from the system's own links.
import { Agent, request } from 'undici';
import type { BareMetalReadings } from '../../metrics/domain/bare-metal-readings.ts';
import {
  type BareMetal,
  BareMetalTrouble,
  type ControllerLine,
  type ControllerRef,
  type MediumSlot,
  type PowerChange,
} from './bare-metal.ts';

/** Controllers are slow computers. */
const TIMEOUT_MS = 20_000;
/** Redfish says whether there is a screen, not where: this is where OpenBMC serves it, RFB in a WebSocket. */
const KVM_PATH = '/kvm/0';

interface Link {
  '@odata.id': string;
}
interface Action {
  target: string;
}
interface System {
  PowerState: 'On' | 'Off' | 'PoweringOn' | 'PoweringOff';
  LastResetTime?: string;
  Boot: { BootSourceOverrideEnabled?: string; BootSourceOverrideTarget?: string };
  Links: { ManagedBy?: Link[]; Chassis?: Link[] };
  VirtualMedia?: Link;
  SerialConsole?: { WebSocket?: { ConsoleURI?: string; ServiceEnabled?: boolean } };
  GraphicalConsole?: { ServiceEnabled?: boolean; ConnectTypesSupported?: string[] };
  Actions: { '#ComputerSystem.Reset': Action };
}
interface Medium extends Link {
  MediaTypes: string[];
  Image: string | null;
  Inserted: boolean;
  Actions: { '#VirtualMedia.InsertMedia': Action; '#VirtualMedia.EjectMedia': Action };
}
interface MetricReport {
  MetricValues: { MetricId: string; MetricValue: string }[];
}

const RESETS: Record<PowerChange, string> = { on: 'On', cut: 'ForceOff', shut_down: 'GracefulShutdown', restart: 'GracefulRestart' };

export function createRedfish({ timeoutMs = TIMEOUT_MS, authorities }: { timeoutMs?: number; authorities?: string } = {}): {
  bareMetal: BareMetal;
  close(): Promise<void>;
} {
  const agent = new Agent({ connections: 4, ...(authorities !== undefined && { connect: { ca: authorities } }) });

  /** Basic authentication: a session would have to be ended on every way out, and controllers hold few. */
  async function call<Data>(ref: ControllerRef, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Data> {
    const what = `${method} ${path}`;
    try {
      const response = await request(`${ref.url}${path}`, {
        method,
        dispatcher: agent,
        headers: {
          authorization: authorizationOf(ref),
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.body.text();
      if (response.statusCode >= 200 && response.statusCode < 300) return (text === '' ? {} : JSON.parse(text)) as Data;
      throw new BareMetalTrouble(`${what}: ${response.statusCode} ${text.slice(0, 300)}`);
    } catch (error) {
      if (error instanceof BareMetalTrouble) throw error;
      throw new BareMetalTrouble(`${what}: ${String(error)}`, { cause: error });
    }
  }
  const pathOf = ({ system }: ControllerRef) => `/redfish/v1/Systems/${encodeURIComponent(system)}`;
  const systemOf = (ref: ControllerRef) => call<System>(ref, 'GET', pathOf(ref));

  /** On newer controllers media belong to the system, on older ones to its manager. The first that takes discs is booted, the next one is the seed. */
  async function mediaOf(ref: ControllerRef, system: System): Promise<Record<MediumSlot, Medium>> {
    let collection = system.VirtualMedia?.['@odata.id'];
    const manager = system.Links.ManagedBy?.[0]?.['@odata.id'];
    if (collection === undefined && manager !== undefined)
      collection = (await call<{ VirtualMedia?: Link }>(ref, 'GET', manager)).VirtualMedia?.['@odata.id'];
    if (collection === undefined) throw new BareMetalTrouble('the controller has no virtual media');
    const { Members } = await call<{ Members: Link[] }>(ref, 'GET', collection);
    const all = await Promise.all(Members.map((member) => call<Medium>(ref, 'GET', member['@odata.id'])));
    const boot = all.find(({ MediaTypes }) => MediaTypes.includes('CD') || MediaTypes.includes('DVD'));
    const seed = all.find((medium) => medium !== boot);
    if (!boot || !seed) throw new BareMetalTrouble('the controller has too few virtual media');
    return { boot, seed };
  }
  const imageIn = ({ Inserted, Image }: Medium) => (Inserted ? Image : null);

  const bareMetal: BareMetal = {
    async inspect(ref) {
      const system = await systemOf(ref);
      const { boot, seed } = await mediaOf(ref, system);
      return {
        power: system.PowerState === 'On' ? 'on' : system.PowerState === 'Off' ? 'off' : 'changing',
        media: { boot: imageIn(boot), seed: imageIn(seed) },
        bootsMedium: system.Boot.BootSourceOverrideEnabled === 'Once' && system.Boot.BootSourceOverrideTarget === 'Cd',
        lastResetAt: system.LastResetTime ?? null,
      };
    },
    async power(ref, change) {
      const { Actions } = await systemOf(ref);
      await call(ref, 'POST', Actions['#ComputerSystem.Reset'].target, { ResetType: RESETS[change] });
    },
    async insert(ref, slot, url) {
      const medium = (await mediaOf(ref, await systemOf(ref)))[slot];
      const body = { Image: url, Inserted: true, WriteProtected: true };
      await call(ref, 'POST', medium.Actions['#VirtualMedia.InsertMedia'].target, body);
    },
    async eject(ref, slot) {
      const medium = (await mediaOf(ref, await systemOf(ref)))[slot];
      await call(ref, 'POST', medium.Actions['#VirtualMedia.EjectMedia'].target, {});
    },
    async bootMediumOnce(ref) {
      await call(ref, 'PATCH', pathOf(ref), { Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Cd' } });
    },
    async serialConsole(ref) {
      const console = (await systemOf(ref)).SerialConsole?.WebSocket;
      if (console?.ConsoleURI === undefined || console.ServiceEnabled === false) return undefined;
      return lineAt(ref, console.ConsoleURI);
    },
    async graphicConsole(ref) {
      const console = (await systemOf(ref)).GraphicalConsole;
      if (console?.ServiceEnabled === false || !console?.ConnectTypesSupported?.includes('KVMIP')) return undefined;
      return lineAt(ref, KVM_PATH);
    },
    async readings(ref) {
      const system = await systemOf(ref);
      const chassis = system.Links.Chassis?.[0]?.['@odata.id'];
      const none = (error: unknown) => {
        if (error instanceof BareMetalTrouble && / 404 /.test(error.message)) return undefined;
        throw error;
      };
      const [power, thermal, usage, network] = await Promise.all([
        chassis === undefined
          ? undefined
          : call<{ PowerControl?: { PowerConsumedWatts?: number }[] }>(ref, 'GET', `${chassis}/Power`).catch(none),
        chassis === undefined
          ? undefined
          : call<{ Temperatures?: { PhysicalContext?: string; ReadingCelsius?: number }[] }>(ref, 'GET', `${chassis}/Thermal`).catch(none),
        call<MetricReport>(ref, 'GET', '/redfish/v1/TelemetryService/MetricReports/SystemUsage').catch(none),
        call<MetricReport>(ref, 'GET', '/redfish/v1/TelemetryService/MetricReports/NICStatistics').catch(none),
      ]);
      return toReadings({
        usage,
        network,
        watts: power?.PowerControl?.[0]?.PowerConsumedWatts ?? null,
        inletCelsius: thermal?.Temperatures?.find(({ PhysicalContext }) => PhysicalContext === 'Intake')?.ReadingCelsius ?? null,
      });
    },
  };
  return { bareMetal, close: () => agent.close() };
}

const authorizationOf = ({ username, password }: ControllerRef): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

function lineAt(ref: ControllerRef, path: string): ControllerLine {
  const url = new URL(path, ref.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return { url: url.href, authorization: authorizationOf(ref) };
}

type Measured = Pick<BareMetalReadings, 'watts' | 'inletCelsius'> & Record<'usage' | 'network', MetricReport | undefined>;

/** Reports name values as their firmware does; these are the usual names. */
function toReadings({ usage, network, watts, inletCelsius }: Measured): BareMetalReadings {
  const valueOf = (report: MetricReport | undefined, id: string): number | null => {
    const values = (report?.MetricValues ?? []).filter(({ MetricId }) => MetricId === id).map(({ MetricValue }) => Number(MetricValue));
    return values.length === 0 || values.some(Number.isNaN) ? null : values.reduce((sum, value) => sum + value, 0);
  };
  const share = (percent: number | null) => (percent === null ? null : percent / 100);
  return {
    cpuShare: share(valueOf(usage, 'CPUUsage')),
    memoryShare: share(valueOf(usage, 'MemoryUsage')),
    diskShare: share(valueOf(usage, 'IOUsage')),
    receivedBytes: valueOf(network, 'RxBytes'),
    sentBytes: valueOf(network, 'TxBytes'),
    watts,
    inletCelsius,
  };
}
