// A connection that a listener has accepted, and what it counts for.

export interface Presence {
  connections: number;
  handshakes: number;
}

/** The key that a customer is counted under, and its limits. */
export interface AddressLimit {
  key: string;
  connections: number;
  handshakes: number;
}

/** An accepted connection, counted under the keys of its address. */
export class Arrival {
  readonly address: string;
  readonly addressLimits: readonly AddressLimit[];
  readonly #presences: readonly Presence[];
  #shaking = true;

  /** `presences` belong to `addressLimits`, in the same order. */
  constructor(address: string, addressLimits: readonly AddressLimit[], presences: readonly Presence[]) {
    this.address = address;
    this.addressLimits = addressLimits;
    this.#presences = presences;
    for (const presence of presences) {
      presence.connections++;
      presence.handshakes++;
    }
  }

  /** The request has been read: it no longer counts as a handshake. */
  settled(): void {
    if (this.#shaking) for (const presence of this.#presences) presence.handshakes--;
    this.#shaking = false;
  }

  left(): void {
    this.settled();
    for (const presence of this.#presences) presence.connections--;
  }
}
