// Follows the platform's feed over HTTP and reconnects by itself.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { EdgeClient } from './protocol/client.ts';
import type { FeedListener } from './protocol/control-plane.ts';
import { FEED_LINE, type FeedMessage } from './protocol/messages.ts';

/** The feed is closed after this much silence; it sends a beat every second. */
const SILENCE_MS = 3 * SECOND;
const RETRY_MS = 250;
/** The longest backoff after 401: a refused node must be enrolled again by a person. */
const MAX_REFUSED_MS = 5 * MINUTE;
const UNAUTHORIZED = 401;
/** A feed that was open for this long and was then ended by the platform, as when a process stops, is opened again without a delay. */
const STOOD_MS = SECOND;

/** Calls the listener until the returned function is called. `later` is replaced in tests that move the time. */
export function followRemote(
  client: Pick<EdgeClient, 'open'>,
  log: Log,
  listener: FeedListener,
  later: (then: () => void, milliseconds: number) => NodeJS.Timeout = setTimeout,
): () => void {
  let stopped = false;
  let current: ClientRequest | undefined;
  let retry: NodeJS.Timeout | undefined;
  /** Consecutive ones. */
  let refusals = 0;
  const open = () => {
    let ended = false;
    let stands: number | undefined;
    let endedCleanly = false;
    const end = () => {
      if (ended) return;
      ended = true;
      listener.lost();
      current?.destroy();
      const hurry = endedCleanly && stands !== undefined && performance.now() - stands >= STOOD_MS;
      if (!stopped) retry = later(open, hurry ? 0 : Math.min(MAX_REFUSED_MS, RETRY_MS * 2 ** refusals));
    };
    const take = (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        refusals = response.statusCode === UNAUTHORIZED ? refusals + 1 : 0;
        log.warn({ status: response.statusCode }, 'the feed is refused');
        response.resume();
        end();
        return;
      }
      refusals = 0;
      stands = performance.now();
      response.on('end', () => {
        endedCleanly = true;
      });
      readLines(response, listener, (line) => {
        log.warn({ line: line.slice(0, 100) }, 'the feed says what is none of its lines');
        end();
      });
      response.on('close', end);
      response.on('error', end);
    };
    client.open('/edge/feed', take).then((request) => {
      current = request;
      request.setTimeout(SILENCE_MS, end);
      request.on('error', end);
      if (stopped) request.destroy();
      else request.end();
    }, end);
  };
  open();
  return () => {
    stopped = true;
    clearTimeout(retry);
    current?.destroy();
  };
}

function readLines(response: IncomingMessage, listener: FeedListener, unreadable: (line: string) => void): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message = readLine(line);
      if (!message) return unreadable(line);
      const { planId, epoch = 0, staticPlan, gateways, networks } = message;
      listener.beat();
      if (staticPlan !== undefined) listener.staticChanged?.(staticPlan);
      if (gateways) listener.gatewaysChanged?.();
      if (networks) listener.networksChanged?.();
      if (planId !== undefined) listener.changed({ planId, epoch });
    }
  });
}

/** Undefined: not a line of the protocol. */
function readLine(line: string): FeedMessage | undefined {
  try {
    return FEED_LINE.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
