// Reads what a Redfish controller measures of its machine.
import type { BareMetalReadings } from '../../domain/bare-metal-readings.ts';
import { BareMetalTrouble, type ControllerRef } from '../bare-metal.ts';
import type { RedfishClient } from './client.ts';

interface MetricReport {
  MetricValues: { MetricId: string; MetricValue: string }[];
}
interface Power {
  PowerControl?: { PowerConsumedWatts?: number }[];
}
interface Thermal {
  Temperatures?: { PhysicalContext?: string; ReadingCelsius?: number }[];
}

export async function readingsOf(client: RedfishClient, ref: ControllerRef): Promise<BareMetalReadings> {
  const { Links } = await client.systemOf(ref);
  const chassis = Links.Chassis?.[0]?.['@odata.id'];
  /** A controller answers 404 for what it does not have. */
  const read = <Data>(path: string) =>
    client.call<Data>(ref, 'GET', path).catch((error: unknown) => {
      if (error instanceof BareMetalTrouble && / 404 /.test(error.message)) return undefined;
      throw error;
    });
  const [power, thermal, usage, network] = await Promise.all([
    chassis === undefined ? undefined : read<Power>(`${chassis}/Power`),
    chassis === undefined ? undefined : read<Thermal>(`${chassis}/Thermal`),
    read<MetricReport>('/redfish/v1/TelemetryService/MetricReports/SystemUsage'),
    read<MetricReport>('/redfish/v1/TelemetryService/MetricReports/NICStatistics'),
  ]);
  return toReadings({
    usage,
    network,
    watts: power?.PowerControl?.[0]?.PowerConsumedWatts ?? null,
    inletCelsius: thermal?.Temperatures?.find(({ PhysicalContext }) => PhysicalContext === 'Intake')?.ReadingCelsius ?? null,
  });
}

type Measured = Pick<BareMetalReadings, 'watts' | 'inletCelsius'> & Record<'usage' | 'network', MetricReport | undefined>;

/** Firmware chooses the names of values in reports; these are the usual ones. */
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
