// Our interface to dedicated machines: each has a controller, which runs even when the machine is off.
import type { BareMetalReadings } from '../domain/bare-metal-readings.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

/** The address of a machine's controller, and the credentials for it. */
export interface ControllerRef {
  /** As https://HOST, without a path. */
  url: string;
  /** The machine's id at its controller. */
  system: string;
  username: string;
  password: string;
}

/** Slot `boot` has the medium from which the machine starts, `seed` the one from which that reads its task. */
export type MediumSlot = 'boot' | 'seed';

export interface BareMetalState {
  power: 'on' | 'off' | 'changing';
  /** URLs of the inserted media. */
  media: Record<MediumSlot, string | null>;
  /** The next start, and only that one, is from the medium. */
  bootsMedium: boolean;
  /** By the controller's own clock, so it is compared only with itself; null: the controller does not tell. */
  lastResetAt: string | null;
}

/** `cut`: like pulling the cable. `shut_down` and `restart` ask the operating system. */
export type PowerChange = 'on' | 'cut' | 'shut_down' | 'restart';

/** The WebSocket of a machine's console. */
export interface ControllerLine {
  url: string;
  authorization: string;
}

/** Every method may throw BareMetalTrouble. It is then unknown whether the action happened: inspect, then try again. */
export interface BareMetal {
  inspect(ref: ControllerRef): Promise<BareMetalState>;
  power(ref: ControllerRef, change: PowerChange): Promise<void>;
  /** Inserts a medium into an empty slot. */
  insert(ref: ControllerRef, slot: MediumSlot, url: string): Promise<void>;
  eject(ref: ControllerRef, slot: MediumSlot): Promise<void>;
  bootMediumOnce(ref: ControllerRef): Promise<void>;
  /** The serial console, raw bytes; undefined: the controller offers none. */
  serialConsole(ref: ControllerRef): Promise<ControllerLine | undefined>;
  /** Screen, keyboard and mouse by RFB; undefined: the controller offers none. */
  graphicConsole(ref: ControllerRef): Promise<ControllerLine | undefined>;
  readings(ref: ControllerRef): Promise<BareMetalReadings>;
}

export class BareMetalTrouble extends VendorTrouble {}
