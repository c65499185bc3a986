// Everything that the dedicated machines and their controllers remember, as plain JSON. Instants are milliseconds of the sandbox's clock.

export type Slot = 'cd' | 'usb';

/** What an installer has left, or nothing. */
export interface MetalDisk {
  os: string;
  hostname: string;
  ip: string;
  /** login -> password. */
  users: Record<string, string>;
  /** Grows by one with each install: whoever comes back finds nothing of before. */
  generation: number;
}

/** What the machine does since it was switched on. */
export type Running = 'disk' | 'install' | 'wipe' | 'password' | 'rescue' | 'nothing';

export interface Metal {
  id: string;
  power: 'On' | 'Off' | 'PoweringOn' | 'PoweringOff';
  /** When a change of power is over; null: none is under way. */
  changesAt: number | null;
  restarts: boolean;
  lastResetAt: number;
  bootOnce: boolean;
  media: Record<Slot, string | null>;
  running: Running | null;
  /** The system has to find out what it is to do: its seed is read by HTTP. */
  starting: boolean;
  /** When what a medium does is over, or when a system answers. */
  readyAt: number | null;
  /** The files of the seed that it has read. */
  seed: Record<string, string>;
  disk: MetalDisk | null;
  generation: number;
  /** The rescue system's one user. */
  rescue: { ip: string; users: Record<string, string> } | null;
  /** 0 to 1. */
  load: number;
  /** An operating system that does not react to a shutdown. */
  deaf: boolean;
  /** Installers that begin now never come to an end. */
  jammed: number;
  /** Its controller has no graphic console. */
  headless: boolean;
}

export interface RedfishState {
  machines: Record<string, Metal>;
}

/** Three of the smallest, two of the next, one of the largest. */
export const METAL_IDS = ['faraday-1', 'faraday-2', 'faraday-3', 'noether-1', 'noether-2', 'curie-1'] as const;

export const emptyRedfishState = (): RedfishState => ({
  machines: Object.fromEntries(
    METAL_IDS.map((id): [string, Metal] => [
      id,
      {
        id,
        power: 'Off',
        changesAt: null,
        restarts: false,
        lastResetAt: 0,
        bootOnce: false,
        media: { cd: null, usb: null },
        running: null,
        starting: false,
        readyAt: null,
        seed: {},
        disk: null,
        generation: 0,
        rescue: null,
        load: 0,
        deaf: false,
        jammed: 0,
        headless: id === 'curie-1',
      },
    ]),
  ),
});
