// The use of machines at Proxmox VE, now and in the past.
import type { Flow, Hypervisor, MachineUse, UseSpan } from '../hypervisor.ts';
import type { ProxmoxClient, Resource } from './client.ts';

interface RawFlow {
  netin?: number;
  netout?: number;
  diskread?: number;
  diskwrite?: number;
}
const toFlow = ({ netin = 0, netout = 0, diskread = 0, diskwrite = 0 }: RawFlow): Flow => ({
  netInBytes: netin,
  netOutBytes: netout,
  diskReadBytes: diskread,
  diskWriteBytes: diskwrite,
});

const TIMEFRAMES: Record<UseSpan, string> = { HOUR: 'hour', DAY: 'day', WEEK: 'week' };

export function useOf(client: ProxmoxClient): Pick<Hypervisor, 'use' | 'history'> {
  return {
    async use() {
      const uses: MachineUse[] = [];
      // The answer may have ten thousand rows, so no intermediate arrays are made.
      for (const one of await client.resources<Resource & RawFlow>())
        if (one.template !== 1)
          uses.push({
            name: one.name ?? '',
            running: one.status === 'running',
            cpu: one.cpu ?? 0,
            memoryBytes: one.mem ?? 0,
            memoryTotalBytes: one.maxmem ?? 0,
            netInBytes: one.netin ?? 0,
            netOutBytes: one.netout ?? 0,
            diskReadBytes: one.diskread ?? 0,
            diskWriteBytes: one.diskwrite ?? 0,
          });
      return uses;
    },
    history: async (ref, span) =>
      (
        await client.call<(RawFlow & { time: number; cpu?: number; mem?: number })[]>(
          'GET',
          `${client.at(ref)}/rrddata?timeframe=${TIMEFRAMES[span]}&cf=AVERAGE`,
        )
      ).map(({ time, cpu = 0, mem = 0, ...flow }) => ({ at: new Date(time * 1_000), cpu, memoryBytes: mem, ...toFlow(flow) })),
  };
}
