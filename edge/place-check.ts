// Checks whether a seller's exits are where they were asked for: a wrong country causes no error, and customers would notice it before the operator.
// Asks a site that the operator names, for each place in use, at intervals.
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Dialler, Upstream } from './dial.ts';
import type { Exit } from './exit.ts';
import type { GatewayDefinition, PlaceCheck } from './protocol/gateway.ts';

export interface PlaceCheckOptions {
  exits(): readonly Exit[];
  dial: Dialler;
  log: Log;
  monotonic(): number;
  /** Interval between rounds. */
  everyMs?: number | undefined;
}

const ROUND_MS = 30 * SECOND;
/** Per exit and round: each answer costs a few hundred bytes of the seller's traffic. */
const PLACES_PER_ROUND = 3;
const AGAIN_MS = 30 * MINUTE;
/** How long a place is not used after it was served from elsewhere. */
const MISPLACED_MS = 10 * MINUTE;
const TIMEOUT_MS = 10 * SECOND;
const MAX_ANSWER = 65_536;

/** Returns a function that stops it. */
export function checkPlaces({ exits, dial, log, monotonic, everyMs = ROUND_MS }: PlaceCheckOptions): () => void {
  /** Exit and place -> time of the last check. */
  const looked = new Map<string, number>();
  const check = async (exit: Exit, definition: GatewayDefinition, place: string, site: PlaceCheck) => {
    const [country = '', state, city] = place.split('/');
    const target = { country, state: state || undefined, city: city || undefined, switchesWhenLost: false };
    try {
      const upstream = await dial(exit, { address: site.host, port: site.port }, TIMEOUT_MS, { target });
      const seen = countryIn(await ask(upstream, site), site.field);
      const health = exit.places.get(place);
      if (seen === undefined || seen === country || !health) return;
      health.misplaced++;
      health.outUntil = monotonic() + MISPLACED_MS;
      log.warn({ exit: definition.id, place, seen }, 'a seller serves a place from elsewhere');
    } catch {
      // Failures are noticed by the connections of customers.
    }
  };
  const round = () => {
    const now = monotonic();
    for (const exit of exits()) {
      const { definition } = exit;
      if (definition.kind !== 'gateway' || !definition.check || !exit.healthy) continue;
      const due = [...exit.places.keys()].filter((place) => {
        const key = `${definition.id} ${place}`;
        return /^[a-z]{2}\//.test(place) && !place.startsWith('eu/') && now - (looked.get(key) ?? -Infinity) >= AGAIN_MS;
      });
      for (const place of due.slice(0, PLACES_PER_ROUND)) {
        looked.set(`${definition.id} ${place}`, now);
        void check(exit, definition, place, definition.check);
      }
    }
    for (const [key, at] of looked) if (now - at >= AGAIN_MS) looked.delete(key);
  };
  const timer = setInterval(round, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The whole answer up to MAX_ANSWER, or what has arrived when the connection ends. */
function ask({ socket, early }: Upstream, { host, path }: PlaceCheck): Promise<string> {
  return new Promise((resolve) => {
    let text = early.toString('latin1');
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.listener = {
      data(bytes) {
        text += bytes.toString('latin1');
        if (text.length > MAX_ANSWER) done();
      },
      drain: () => {},
      end: done,
      error: done,
      close: () => resolve(text),
    };
    socket.idleAfter(TIMEOUT_MS, done);
    socket.write(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`));
    socket.resume();
  });
}

/** The ISO 3166 code in a JSON answer; undefined without one. Takes the text between the first and last brace, which also works for chunked bodies. */
function countryIn(answer: string, field: string): string | undefined {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  try {
    const found = (JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as Record<string, unknown>)[field];
    return typeof found === 'string' && /^[A-Za-z]{2}$/.test(found) ? found.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}
