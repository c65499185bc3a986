// The sources of a node's exits: the operator's file, read again when it changes, and the gateways that staff set up on the platform.
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { plainAddress, toBlockList } from '#platform/public-address.ts';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { ExitDefinition } from './exit.ts';
import { readExits } from './exits-file.ts';
import { followList } from './follow-list.ts';
import type { ControlPlane } from './protocol/control-plane.ts';
import type { GatewayDefinition } from './protocol/gateway.ts';

export interface ExitSourcesOptions {
  exits: readonly ExitDefinition[];
  /** `exits` are the demo's: they are dropped as soon as the platform has a gateway. */
  standIns?: boolean | undefined;
  /** The file that `exits` were read from. */
  file?: string | undefined;
  controlPlane: Pick<ControlPlane, 'gateways' | 'follow'>;
  log: Log;
  /** Called with all current exits. */
  changed(definitions: readonly ExitDefinition[]): void;
  /** Interval between checks of the file. */
  everyMs?: number | undefined;
}

const LOOK_MS = 2 * SECOND;

/** Returns a function that stops it. */
export function followExitSources(options: ExitSourcesOptions): () => void {
  const { standIns = false, file, controlPlane, log, changed, everyMs = LOOK_MS } = options;
  let own = options.exits;
  let gateways: readonly GatewayDefinition[] = [];
  const notify = () => {
    const taken = new Set(gateways.map(({ id }) => id));
    changed([...(standIns && gateways.length > 0 ? [] : own.filter(({ id }) => !taken.has(id))), ...gateways]);
  };
  const stopLooking =
    file === undefined
      ? undefined
      : watchFile(file, everyMs, log, (exits) => {
          own = exits;
          notify();
        });
  const known = (items: GatewayDefinition[]) => {
    if (items.length === 0 && gateways.length === 0) return;
    gateways = items;
    notify();
  };
  const stopAsking = followList({ list: controlPlane.gateways, controlPlane, news: 'gatewaysChanged', log, known });
  return () => {
    stopLooking?.();
    stopAsking();
  };
}

function watchFile(file: string, everyMs: number, log: Log, read: (exits: ExitDefinition[]) => void): () => void {
  const ageOf = () => statSync(file).mtimeMs;
  let known = ageOf();
  const timer = setInterval(() => {
    try {
      const age = ageOf();
      if (age === known) return;
      known = age;
      read(readExits(file));
      log.info({ file }, 'the exits are read again');
    } catch (error) {
      // The file is half written or invalid: keep the current exits.
      log.error({ error: String(error) }, 'the exits cannot be read again');
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The addresses, host names and networks of all exits. Lines may not reach them as targets. */
export class ExitPlaces {
  #places: ReadonlySet<string> = new Set();
  #networks = toBlockList([]);

  set(definitions: readonly ExitDefinition[]): void {
    this.#places = new Set(
      definitions.flatMap((exit) => {
        if (exit.kind === 'network') return [];
        const place = exit.kind === 'local' ? exit.address : exit.host.toLowerCase();
        return [isIP(place) === 0 ? place : plainAddress(place)];
      }),
    );
    this.#networks = toBlockList(definitions.flatMap((exit) => (exit.kind === 'network' ? [exit.network] : [])));
  }

  /** `place`: an address in its normal form, or a name. */
  has(place: string): boolean {
    return this.#places.has(place) || (isIP(place) === 6 && this.#networks.check(place, 'ipv6'));
  }
}
