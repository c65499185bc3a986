// What dedicated servers are worked with from afar, in our words: a controller beside each machine that is on when the machine is off.
import type { BareMetalReadings } from '../domain/bare-metal-readings.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

/** Where the controller of a machine answers, and what lets us in. */
export interface ControllerRef {
  /** As https://HOST, without a path. */
  url: string;
  /** The machine's id at its controller. */
  system: string;
  username: string;
  password: string;
}

/** `boot` holds what the machine starts from, `seed` what that reads its task from. */
export type MediumSlot = 'boot' | 'seed';

export interface BareMetalState {
  power: 'on' | 'off' | 'changing';
  /** Addresses of the media that are in. */
  media: Record<MediumSlot, string | null>;
  /** Its next start, and only that, is from the medium. */
  bootsMedium: boolean;
  /** By the controller's own clock, to be compared with itself only; null: it does not say. */
  lastResetAt: string | null;
}

/** `cut`: as if the cable were pulled. `shut_down` and `restart` ask the operating system. */
export type PowerChange = 'on' | 'cut' | 'shut_down' | 'restart';

/** Where a console of a machine waits for a WebSocket. */
export interface ControllerLine {
  url: string;
  authorization: string;
}

/** All may throw BareMetalTrouble, after which nobody knows whether it happened: look, then ask again. */
export interface BareMetal {
  inspect(ref: ControllerRef): Promise<BareMetalState>;
  power(ref: ControllerRef, change: PowerChange): Promise<void>;
  /** Only into an empty slot. */
  insert(ref: ControllerRef, slot: MediumSlot, url: string): Promise<void>;
  eject(ref: ControllerRef, slot: MediumSlot): Promise<void>;
  bootMediumOnce(ref: ControllerRef): Promise<void>;
  /** Its serial line, bytes as they are; undefined: the controller offers none. */
  serialConsole(ref: ControllerRef): Promise<ControllerLine | undefined>;
  /** Its screen, keyboard and mouse as RFB; undefined: the controller offers none. */
  graphicConsole(ref: ControllerRef): Promise<ControllerLine | undefined>;
  readings(ref: ControllerRef): Promise<BareMetalReadings>;
}

export class BareMetalTrouble extends VendorTrouble {}
