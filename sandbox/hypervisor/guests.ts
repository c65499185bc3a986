// Servers for the guests: a guest that has booted accepts connections at its address while it runs and its node is up.
import { type Answering, openAnswering } from '../answering.ts';
import { addressOf, isBooted } from './life.ts';
import type { HypervisorState } from './state.ts';

export interface Guests extends Pick<Answering, 'port' | 'close'> {
  /** Opens and closes addresses to match the state of the machines. */
  settle(now: number): Promise<void>;
}

export async function openGuests(state: HypervisorState, host: string | undefined, port: number): Promise<Guests> {
  const answering = await openAnswering(host, port);
  return {
    port: answering.port,
    close: answering.close,
    settle(now) {
      const wanted = new Map<string, string>();
      for (const machine of Object.values(state.machines)) {
        const address = addressOf(machine);
        if (address !== undefined && isBooted(machine, now) && !state.down.includes(machine.node)) wanted.set(address, machine.name);
      }
      return answering.settle(wanted);
    },
  };
}
