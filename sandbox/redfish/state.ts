// The state of the dedicated machines and their controllers as plain JSON. Times are milliseconds of the sandbox's clock.

import type { BootMode, Make } from './makes.ts';

export type Slot = 'cd' | 'usb';

/** The system that an installer has written. */
export interface MetalDisk {
  os: string;
  hostname: string;
  ip: string;
  /** From log-in to password. */
  users: Record<string, string>;
  /** Increases by one with each installation, which leaves nothing of the previous system. */
  generation: number;
}

/** What the machine runs since it was switched on. */
export type Running = 'disk' | 'install' | 'wipe' | 'password' | 'rescue' | 'nothing';

export interface Metal {
  id: string;
  power: 'On' | 'Off' | 'PoweringOn' | 'PoweringOff';
  /** When the present change of power ends; null when there is none. */
  changesAt: number | null;
  restarts: boolean;
  lastResetAt: number;
  bootOnce: boolean;
  /** Of its controller; absent in an earlier state. */
  make?: Make;
  /** How it boots what it is told to boot. The installers are for UEFI. */
  bootMode?: BootMode;
  /** How often its next boot was set. */
  changes?: number;
  media: Record<Slot, string | null>;
  running: Running | null;
  /** The system on a medium still has to read its seed over HTTP. */
  starting: boolean;
  /** When the medium's work is done, or when a system answers. */
  readyAt: number | null;
  /** The files of the seed that was read. */
  seed: Record<string, string>;
  disk: MetalDisk | null;
  generation: number;
  /** The rescue system, with its one user. */
  rescue: { ip: string; users: Record<string, string> } | null;
  /** The used share of its processors, 0 to 1. */
  load: number;
  /** An operating system that does not react to a shutdown. */
  deaf: boolean;
  /** The number of installations that start from now on and never end. */
  jammed: number;
  /** Its controller has no graphic console. */
  headless: boolean;
}

export interface RedfishState {
  machines: Record<string, Metal>;
}

/** Three machines of the smallest kind, two of the next, one of the largest. */
export const METAL_IDS = ['faraday-1', 'faraday-2', 'faraday-3', 'noether-1', 'noether-2', 'curie-1'] as const;

/** One of each make, and another one. */
const MAKE_OF: Record<(typeof METAL_IDS)[number], Make> = {
  'faraday-1': 'OPENBMC',
  'faraday-2': 'LENOVO',
  'faraday-3': 'ASROCK',
  'noether-1': 'SUPERMICRO',
  'noether-2': 'HPE',
  'curie-1': 'OPENBMC',
};

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
        make: MAKE_OF[id],
        bootMode: 'UEFI',
        changes: 0,
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
