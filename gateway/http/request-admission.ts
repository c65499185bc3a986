// Decides when a request may begin: it is refused when its route has too much work, and waits in a queue while the event loop is busy.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { addressGroup } from '#platform/address-group.ts';
import type { Call, Route } from '#platform/route.ts';
import type { ConcurrencyLimit } from './concurrency.ts';
import type { OverloadGuard } from './overload.ts';

export class RequestAdmission {
  readonly #guard: OverloadGuard;
  readonly #concurrency: ConcurrencyLimit;
  /** The functions that free what a request occupies, called when its answer begins. */
  readonly #releases = new WeakMap<ServerResponse, (() => void)[]>();

  constructor(guard: OverloadGuard, concurrency: ConcurrencyLimit) {
    this.#guard = guard;
    this.#concurrency = concurrency;
  }

  /**
   * Counts a request from when its body has arrived, since waiting for a slow sender is no work, until its answer begins; on a busy loop it waits for those before it.
   * Resolves to false when the client has gone away meanwhile. Throws `overloaded`.
   */
  admit(route: Route, request: IncomingMessage, response: ServerResponse, { address }: Call): Promise<boolean> | true {
    const name = route.name ?? 'other';
    // All calls of the adapter come from one address.
    const holder = route.shared ? '' : addressGroup(address);
    this.#guard.check(name, holder);
    const enter = () => {
      if (response.headersSent || response.destroyed) return;
      this.#releaseLater(response, this.#guard.enter(name, holder));
    };
    if (hasBody(request)) request.once('end', enter);
    else enter();
    return this.#waitForRoom(request, response);
  }

  /** Stops counting the request: its answer begins, its client has gone, or its refusal waits. */
  release(response: ServerResponse): void {
    for (const release of this.#releases.get(response)?.splice(0) ?? []) release();
  }

  #releaseLater(response: ServerResponse, release: () => void): void {
    const known = this.#releases.get(response);
    if (known) return void known.push(release);
    this.#releases.set(response, [release]);
    response.on('close', () => this.release(response));
  }

  /** A request whose body has not arrived is no work: a slow sender delays nobody, and is counted when its body has arrived. */
  #waitForRoom(request: IncomingMessage, response: ServerResponse): Promise<boolean> | true {
    if (!hasBody(request)) return this.#enter(response);
    const countLater = (): true => {
      request.once('end', () => void this.#enter(response));
      return true;
    };
    if (!this.#concurrency.isFull()) return countLater();
    // A body that came in the same packet as the headers is parsed before the next turn of the event loop.
    return nextLoop().then(() => (request.complete ? this.#enter(response) : countLater()));
  }

  #enter(response: ServerResponse): Promise<boolean> | true {
    if (response.headersSent || response.destroyed) return true;
    let begun = false;
    let beginLater: ((here: boolean) => void) | undefined;
    const leave = this.#concurrency.enter(() => {
      begun = true;
      beginLater?.(true);
    });
    this.#releaseLater(response, leave);
    if (begun) return true;
    return new Promise((resolve) => {
      beginLater = resolve;
      response.once('close', () => resolve(false));
    });
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
