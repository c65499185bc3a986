// Redfish (DMTF DSP0266) as the interface to dedicated machines.
import type { BareMetal, ControllerLine, ControllerRef, PowerChange } from './bare-metal.ts';
import { type Medium, RedfishClient, type RedfishTerms, authorizationOf } from './redfish/client.ts';
import { readingsOf } from './redfish/readings.ts';

/** Redfish tells whether there is a screen, but not where. This is where OpenBMC serves it, RFB in a WebSocket. */
const KVM_PATH = '/kvm/0';

/** DMTF/Redfishtool pull request 106. */
const FORGETS_MODE = /supermicro/i;

const RESETS: Record<PowerChange, string> = { on: 'On', cut: 'ForceOff', shut_down: 'GracefulShutdown', restart: 'GracefulRestart' };

export function createRedfish(terms: RedfishTerms = {}): { bareMetal: BareMetal; close(): Promise<void> } {
  const client = new RedfishClient(terms);
  const bareMetal: BareMetal = {
    async inspect(ref) {
      const system = await client.systemOf(ref);
      const { boot, seed } = await client.mediaOf(ref, system);
      const next = await client.bootOf(ref, system);
      return {
        power: system.PowerState === 'On' ? 'on' : system.PowerState === 'Off' ? 'off' : 'changing',
        media: { boot: imageIn(boot), seed: imageIn(seed) },
        bootsMedium: next.BootSourceOverrideEnabled === 'Once' && next.BootSourceOverrideTarget === 'Cd',
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
      const system = await client.systemOf(ref);
      const { BootSourceOverrideMode: mode } = await client.bootOf(ref, system);
      const boot = { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Cd' };
      const inItsMode = { ...boot, ...(mode !== undefined && { BootSourceOverrideMode: mode }) };
      // HPE's refuse a mode, even the present one, and Supermicro's fall back to another when none is named.
      await client.setBoot(ref, system, FORGETS_MODE.test(system.Manufacturer ?? '') ? inItsMode : boot);
      const then = await client.bootOf(ref, await client.systemOf(ref));
      if (mode !== undefined && then.BootSourceOverrideMode !== undefined && then.BootSourceOverrideMode !== mode)
        await client.setBoot(ref, system, inItsMode);
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
