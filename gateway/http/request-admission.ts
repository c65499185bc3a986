// When a request may begin: refused at once where its route has enough to do, in its order where the event loop is busy.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { addressGroup } from '#platform/address-group.ts';
import type { Call, Route } from '#platform/route.ts';
import type { ConcurrencyLimit } from './concurrency.ts';
import type { OverloadGuard } from './overload.ts';

export class RequestAdmission {
  readonly #guard: OverloadGuard;
  readonly #concurrency: ConcurrencyLimit;
  /** What a request occupies until its answer begins. */
  readonly #releases = new WeakMap<ServerResponse, (() => void)[]>();

  constructor(guard: OverloadGuard, concurrency: ConcurrencyLimit) {
    this.#guard = guard;
    this.#concurrency = concurrency;
  }

  /**
   * Counts a request once all of it has arrived, since a slow sender is no work, until its answer begins; on a busy loop it waits for those before it. False: the client
   * went away meanwhile. Throws `overloaded`.
   */
  admit(route: Route, request: IncomingMessage, response: ServerResponse, { address }: Call): Promise<boolean> | true {
    const name = route.name ?? 'other';
    // The adapter's calls all come from one address.
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

  /** The request is no work any more: it was answered, its client has gone, or its refusal is held back. */
  release(response: ServerResponse): void {
    for (const release of this.#releases.get(response)?.splice(0) ?? []) release();
  }

  #releaseLater(response: ServerResponse, release: () => void): void {
    const known = this.#releases.get(response);
    if (known) return void known.push(release);
    this.#releases.set(response, [release]);
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
    response.writeHead = (...given: unknown[]) => {
      this.release(response);
      return writeHead(...given);
    };
    response.once('close', () => this.release(response));
  }

  /** A body that has not arrived is no work: who sends slowly holds nobody up, and is counted once it is here. */
  #waitForRoom(request: IncomingMessage, response: ServerResponse): Promise<boolean> | true {
    if (!hasBody(request)) return this.#enter(response);
    const countLater = (): true => {
      request.once('end', () => void this.#enter(response));
      return true;
    };
    if (!this.#concurrency.isFull()) return countLater();
    // What came in one packet with the head is parsed before the loop begins anew.
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
