// Source ports for connections from a chosen address. Bound with port 0, the kernel searches that address's ports one by one, TIME_WAIT included: a
// busy sticky exit falls from 12,000 to 600 new connections a second. Explicit ports may be shared between targets, and must lie outside the range
// that the kernel hands out itself, or it runs out for the whole machine. Node does not offer IP_BIND_ADDRESS_NO_PORT, the proper cure.
import { readFileSync } from 'node:fs';

const LOWEST = 1_025;
const HIGHEST = 65_535;
/** Fewer would be reused while the remote end still remembers them. */
const FEWEST = 4_096;

/** How often another port is tried when one is taken. */
export const PORT_ATTEMPTS = 8;

/** The larger of the two stretches beside the kernel's own; undefined where neither is worth it. */
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
  /** The next port for connections from this address; undefined: leave it to the kernel. */
  next(address: string): number | undefined;
}

/** Which of how many workers this is; each takes ports of its own. */
export function createSourcePorts({ index, count } = { index: 0, count: 1 }, range = kernelRange()): SourcePorts {
  const ports = range && portsBeside(...range);
  const last = new Map<string, number>();
  return {
    next(address) {
      if (!ports) return undefined;
      const rounds = Math.floor((ports.to - ports.from + 1) / count);
      // A restarted node does not begin where its last life began.
      const round = last.get(address) ?? Math.floor(Math.random() * rounds);
      last.set(address, (round + 1) % rounds);
      return ports.from + round * count + index;
    },
  };
}
