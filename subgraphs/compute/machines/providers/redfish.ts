// Redfish (DMTF DSP0266) as the interface to dedicated machines.
import type { BareMetal, ControllerLine, ControllerRef, PowerChange } from './bare-metal.ts';
import { type Medium, RedfishClient, type RedfishTerms, authorizationOf } from './redfish/client.ts';
import { readingsOf } from './redfish/readings.ts';

/** Redfish tells whether there is a screen, but not where. This is where OpenBMC serves it, RFB in a WebSocket. */
const KVM_PATH = '/kvm/0';

const RESETS: Record<PowerChange, string> = { on: 'On', cut: 'ForceOff', shut_down: 'GracefulShutdown', restart: 'GracefulRestart' };

export function createRedfish(terms: RedfishTerms = {}): { bareMetal: BareMetal; close(): Promise<void> } {
  const client = new RedfishClient(terms);
  const bareMetal: BareMetal = {
    async inspect(ref) {
      const system = await client.systemOf(ref);
      const { boot, seed } = await client.mediaOf(ref, system);
      return {
        power: system.PowerState === 'On' ? 'on' : system.PowerState === 'Off' ? 'off' : 'changing',
        media: { boot: imageIn(boot), seed: imageIn(seed) },
        bootsMedium: system.Boot.BootSourceOverrideEnabled === 'Once' && system.Boot.BootSourceOverrideTarget === 'Cd',
        lastResetAt: system.LastResetTime ?? null,
      };
    },
    async power(ref, change) {
      const { Actions } = await client.systemOf(ref);
      await client.call(ref, 'POST', Actions['#ComputerSystem.Reset'].target, { ResetType: RESETS[change] });
    },
    async insert(ref, slot, url) {
      const { Actions } = await client.medium(ref, slot);
      await client.call(ref, 'POST', Actions['#VirtualMedia.InsertMedia'].target, { Image: url, Inserted: true, WriteProtected: true });
    },
    async eject(ref, slot) {
      const { Actions } = await client.medium(ref, slot);
      await client.call(ref, 'POST', Actions['#VirtualMedia.EjectMedia'].target, {});
    },
    async bootMediumOnce(ref) {
      const boot = { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Cd' };
      await client.call(ref, 'PATCH', client.pathOf(ref), { Boot: boot });
    },
    async serialConsole(ref) {
      const console = (await client.systemOf(ref)).SerialConsole?.WebSocket;
      if (console?.ConsoleURI === undefined || console.ServiceEnabled === false) return undefined;
      return lineAt(ref, console.ConsoleURI);
    },
    async graphicConsole(ref) {
      const console = (await client.systemOf(ref)).GraphicalConsole;
      if (console?.ServiceEnabled === false || !console?.ConnectTypesSupported?.includes('KVMIP')) return undefined;
      return lineAt(ref, KVM_PATH);
    },
    readings: (ref) => readingsOf(client, ref),
  };
  return { bareMetal, close: () => client.close() };
}

const imageIn = ({ Inserted, Image }: Medium) => (Inserted ? Image : null);

function lineAt(ref: ControllerRef, path: string): ControllerLine {
  const url = new URL(path, ref.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return { url: url.href, authorization: authorizationOf(ref) };
}
