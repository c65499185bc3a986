// The resources of a controller in the form in which its API returns them.
import { MANUFACTURERS, mannersOf, tagOf } from './makes.ts';
import type { Metal, Slot } from './state.ts';

export const RESET_TYPES = ['On', 'ForceOff', 'GracefulShutdown', 'GracefulRestart', 'ForceRestart'] as const;
const PATH = '/redfish/v1';
const link = (path: string) => ({ '@odata.id': `${PATH}${path}` });

const taggedOf = (machine: Metal) => (tagOf(machine) === undefined ? {} : { '@odata.etag': tagOf(machine) });
const bootOf = ({ bootMode = 'UEFI' }: Metal, once: boolean) => ({
  BootSourceOverrideEnabled: once ? 'Once' : 'Disabled',
  BootSourceOverrideTarget: once ? 'Cd' : 'None',
  BootSourceOverrideMode: bootMode,
  'BootSourceOverrideTarget@Redfish.AllowableValues': ['None', 'Pxe', 'Cd', 'Hdd', 'UefiHttp'],
});

/** What the next boot will have, where a make has that in a resource of its own. */
export const settingsOf = (machine: Metal) => ({
  ...link(`/Systems/${machine.id}/SD`),
  '@odata.type': '#ComputerSystem.v1_20_0.ComputerSystem',
  ...taggedOf(machine),
  Id: 'SD',
  Boot: bootOf(machine, machine.bootOnce),
});

export const systemOf = (machine: Metal) => ({
  ...link(`/Systems/${machine.id}`),
  '@odata.type': '#ComputerSystem.v1_20_0.ComputerSystem',
  Id: machine.id,
  Manufacturer: MANUFACTURERS[machine.make ?? 'OPENBMC'],
  PowerState: machine.power,
  LastResetTime: new Date(machine.lastResetAt).toISOString(),
  ...taggedOf(machine),
  Boot: bootOf(machine, mannersOf(machine).bootAtSettings ? false : machine.bootOnce),
  ...(mannersOf(machine).bootAtSettings && { '@Redfish.Settings': { SettingsObject: link(`/Systems/${machine.id}/SD`) } }),
  SerialConsole: {
    MaxConcurrentSessions: 4,
    WebSocket: { ConsoleURI: `/console/${machine.id}`, Interactive: true, ServiceEnabled: true },
  },
  GraphicalConsole: {
    ServiceEnabled: !machine.headless,
    MaxConcurrentSessions: 4,
    ConnectTypesSupported: ['KVMIP'],
  },
  Links: { ManagedBy: [link(`/Managers/${machine.id}-bmc`)], Chassis: [link(`/Chassis/${machine.id}`)] },
  Actions: {
    '#ComputerSystem.Reset': {
      target: `${PATH}/Systems/${machine.id}/Actions/ComputerSystem.Reset`,
      'ResetType@Redfish.AllowableValues': RESET_TYPES,
    },
  },
});

export const SLOTS: Record<string, Slot> = { CD1: 'cd', USB1: 'usb' };

export const mediumOf = (machine: Metal, id: string) => {
  const slot = SLOTS[id] as Slot;
  const at = `/Managers/${machine.id}-bmc/VirtualMedia/${id}`;
  return {
    ...link(at),
    '@odata.type': '#VirtualMedia.v1_6_0.VirtualMedia',
    Id: id,
    MediaTypes: slot === 'cd' ? ['CD', 'DVD'] : ['USBStick', 'Floppy'],
    Image: machine.media[slot],
    Inserted: machine.media[slot] !== null,
    WriteProtected: true,
    ConnectedVia: machine.media[slot] === null ? 'NotConnected' : 'URI',
    Actions: {
      '#VirtualMedia.InsertMedia': { target: `${PATH}${at}/Actions/VirtualMedia.InsertMedia` },
      '#VirtualMedia.EjectMedia': { target: `${PATH}${at}/Actions/VirtualMedia.EjectMedia` },
    },
  };
};

const isBusy = ({ power }: Metal) => power === 'On';
export const powerOf = (machine: Metal) => ({
  ...link(`/Chassis/${machine.id}/Power`),
  PowerControl: [{ PowerConsumedWatts: isBusy(machine) ? Math.round(90 + 260 * machine.load) : 12, PowerCapacityWatts: 800 }],
});
export const thermalOf = (machine: Metal) => ({
  ...link(`/Chassis/${machine.id}/Thermal`),
  Temperatures: [
    { Name: 'Inlet', PhysicalContext: 'Intake', ReadingCelsius: 23 },
    { Name: 'CPU 1', PhysicalContext: 'CPU', ReadingCelsius: isBusy(machine) ? Math.round(38 + 45 * machine.load) : 24 },
  ],
});

const value = (id: string, number: number) => ({ MetricId: id, MetricValue: String(number) });
const percent = (machine: Metal, share: number) => (isBusy(machine) ? Math.round(1_000 * share) / 10 : 0);
export const usageOf = (machine: Metal) => ({
  ...link('/TelemetryService/MetricReports/SystemUsage'),
  MetricValues: [
    value('CPUUsage', percent(machine, machine.load)),
    value('MemoryUsage', percent(machine, isBusy(machine) ? 0.1 + 0.6 * machine.load : 0)),
    value('IOUsage', percent(machine, 0.5 * machine.load)),
  ],
});
export const networkOf = (machine: Metal, at: number) => {
  const up = isBusy(machine) ? Math.max(0, at - machine.lastResetAt) : 0;
  return {
    ...link('/TelemetryService/MetricReports/NICStatistics'),
    MetricValues: [value('RxBytes', Math.round(up * machine.load * 1_000)), value('TxBytes', Math.round(up * machine.load * 2_000))],
  };
};
