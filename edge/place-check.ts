// Whether a seller's exits stand where they are asked for: a wrong country comes without an error, and the customer would find it before the operator.
// Asked of a site that the operator names, for places that are in use, each once in a while.
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
  /** Between two rounds. */
  everyMs?: number | undefined;
}

const ROUND_MS = 30 * SECOND;
/** Of one exit in one round: an answer is a few hundred bytes of the seller's bill. */
const PLACES_PER_ROUND = 3;
const AGAIN_MS = 30 * MINUTE;
/** A place that was served from elsewhere is left alone for so long. */
const MISPLACED_MS = 10 * MINUTE;
const TIMEOUT_MS = 10 * SECOND;
const MAX_ANSWER = 65_536;

/** Returns how to stop. */
export function checkPlaces({ exits, dial, log, monotonic, everyMs = ROUND_MS }: PlaceCheckOptions): () => void {
  /** Exit and place -> when it was looked at. */
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
      // That it does not work is found by those who use it.
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

/** The whole answer, up to its limit. Rejects when it breaks off without one. */
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

/** The ISO 3166 code in an answer of JSON; undefined where it says none. Chunked bodies carry their JSON between first and last brace. */
function countryIn(answer: string, field: string): string | undefined {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  try {
    const found = (JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as Record<string, unknown>)[field];
    return typeof found === 'string' && /^[A-Za-z]{2}$/.test(found) ? found.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}
