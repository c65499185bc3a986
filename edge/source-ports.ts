// Chooses source ports for connections from a given address. With port 0 the kernel searches that address's ports one by one, including those in
// TIME_WAIT: a busy sticky exit drops from 12,000 to 600 new connections a second. Chosen ports may be shared by different targets. They must lie
// outside the kernel's own range, or it runs out for the whole machine. Node does not offer IP_BIND_ADDRESS_NO_PORT, which would solve this.
import { readFileSync } from 'node:fs';

const LOWEST = 1_025;
const HIGHEST = 65_535;
/** With fewer ports, one would be reused while the other side still remembers it. */
const FEWEST = 4_096;

/** How many ports are tried when they are taken. */
export const PORT_ATTEMPTS = 8;

/** The larger range beside the kernel's own; undefined when both are too small. */
export function portsBeside(low: number, high: number): { from: number; to: number } | undefined {
  const below = { from: LOWEST, to: low - 1 };
  const above = { from: high + 1, to: HIGHEST };
  const wider = below.to - below.from >= above.to - above.from ? below : above;
  return wider.to - wider.from + 1 >= FEWEST ? wider : undefined;
}

function kernelRange(): [number, number] | undefined {
  try {
    const [low, high] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
    return low && high ? [low, high] : undefined;
  } catch {
    return undefined;
  }
}

export interface SourcePorts {
  /** The next port for connections from this address; undefined: the kernel chooses. */
  next(address: string): number | undefined;
}

/** `index` of `count` workers; each uses separate ports. */
export function createSourcePorts({ index, count } = { index: 0, count: 1 }, range = kernelRange()): SourcePorts {
  const ports = range && portsBeside(...range);
  const last = new Map<string, number>();
  return {
    next(address) {
      if (!ports) return undefined;
      const rounds = Math.floor((ports.to - ports.from + 1) / count);
      // Start at a random port, so that a restarted node does not reuse recent ones.
      const round = last.get(address) ?? Math.floor(Math.random() * rounds);
      last.set(address, (round + 1) % rounds);
      return ports.from + round * count + index;
    },
  };
}
