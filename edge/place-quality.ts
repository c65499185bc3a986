// Counts, per product and place, how often connections are opened and how soon targets answer, over the last hour.
import { MINUTE } from '#platform/clock.ts';
import { Lru } from '#platform/lru.ts';
import {
  type PlaceQuality,
  QUALITY_SPAN_MS,
  boundOf,
  connectionsIn,
  foremostPlaces,
  newCounts,
  placeKey,
  together,
} from './protocol/place-quality.ts';
import type { ProductCode } from './protocol/product.ts';

export interface QualityPlace {
  country: string;
  state?: string | undefined;
  city?: string | undefined;
}

interface Slot {
  /** Its number since the start of time; a slot of an hour ago is used again. */
  turn: number;
  opened: number;
  failed: number;
  firstBytes: number[];
}

interface Counted extends QualityPlace {
  product: ProductCode;
  slots: Slot[];
}

const SLOT_MS = 10 * MINUTE;
const SLOTS = QUALITY_SPAN_MS / SLOT_MS;
/** Places come from customers' lines. */
const MAX_PLACES = 2_000;

export class PlaceQualities {
  readonly #monotonic: () => number;
  readonly #counted = new Lru<Counted>(MAX_PLACES);

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** The returned watch is told of the bytes of the connection. `began`: when the node began to open it, monotonic milliseconds. */
  opened(product: ProductCode, place: QualityPlace, began: number): FirstByte {
    this.#slot(product, place).opened++;
    const openedMs = this.#monotonic() - began;
    return new FirstByte(this.#monotonic, (afterMs) => {
      const slot = this.#slot(product, place);
      const bound = boundOf(openedMs + afterMs);
      slot.firstBytes[bound] = (slot.firstBytes[bound] ?? 0) + 1;
    });
  }

  failed(product: ProductCode, place: QualityPlace): void {
    this.#slot(product, place).failed++;
  }

  /** Those of the last hour, with the most connections first. */
  report(): PlaceQuality[] {
    const oldest = this.#turn() - SLOTS;
    const all = [];
    for (const [, counted] of this.#counted.entries()) {
      const slots = counted.slots.filter(({ turn }) => turn > oldest);
      const connections = connectionsIn(slots);
      if (connections.opened + connections.failed > 0) all.push({ counted, slots, ...connections });
    }
    // Times are summed only where they are told: most places of a node with thousands are not.
    return foremostPlaces(all).map(({ counted: { product, country, state, city }, slots }) => ({
      product,
      country,
      state,
      city,
      ...together(slots),
    }));
  }

  #turn(): number {
    return Math.floor(this.#monotonic() / SLOT_MS);
  }

  #slot(product: ProductCode, place: QualityPlace): Slot {
    const key = placeKey(product, place);
    let counted = this.#counted.get(key);
    if (!counted) {
      const { country, state, city } = place;
      counted = { product, country, state, city, slots: [] };
      this.#counted.set(key, counted);
    }
    const turn = this.#turn();
    const index = turn % SLOTS;
    let slot = counted.slots[index];
    if (slot?.turn !== turn) {
      slot = { turn, opened: 0, failed: 0, firstBytes: newCounts() };
      counted.slots[index] = slot;
    }
    return slot;
  }
}

/** Measures how long the target takes to answer the first bytes that it got. */
export class FirstByte {
  readonly #monotonic: () => number;
  readonly #came: (afterMs: number) => void;
  #sentAt: number | undefined;

  constructor(monotonic: () => number, came: (afterMs: number) => void) {
    this.#monotonic = monotonic;
    this.#came = came;
  }

  /** Called with each chunk until it returns true. A target that speaks first is not measured. */
  passed(upward: boolean): boolean {
    if (upward) {
      this.#sentAt ??= this.#monotonic();
      return false;
    }
    if (this.#sentAt !== undefined) this.#came(this.#monotonic() - this.#sentAt);
    return true;
  }
}
