// Follows a list that the platform keeps for its nodes: fetches it at the start, at every change, and after the feed was disconnected. While the
// platform does not answer, the last known list stays in use.
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { ControlPlane, FeedListener } from './protocol/control-plane.ts';

const RETRY_MS = 2 * SECOND;

interface Followed<Item> {
  /** Absent: the platform has no such list. */
  list: (() => Promise<readonly Item[]>) | undefined;
  controlPlane: Pick<ControlPlane, 'follow'>;
  /** The event of the feed that announces a change. */
  news: 'gatewaysChanged' | 'networksChanged';
  log: Log;
  known(items: Item[]): void;
}

/** Returns a function that stops it. */
export function followList<Item>({ list, controlPlane, news, log, known }: Followed<Item>): () => void {
  if (!list) return () => {};
  let retry: NodeJS.Timeout | undefined;
  let asking = false;
  let again = false;
  let stopped = false;
  let stands = false;
  const ask = async () => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    do {
      again = false;
      try {
        const answer = await list();
        if (!stopped) known([...answer]);
      } catch (error) {
        log.debug({ error: String(error) }, 'the platform does not tell a list that it keeps for its nodes');
        clearTimeout(retry);
        if (!stopped) retry = setTimeout(() => void ask(), RETRY_MS).unref();
      }
    } while (again);
    asking = false;
  };
  const listener: FeedListener = {
    changed: () => {},
    [news]: () => void ask(),
    beat() {
      if (!stands) void ask();
      stands = true;
    },
    lost() {
      stands = false;
    },
  };
  const stop = controlPlane.follow(listener);
  void ask();
  return () => {
    stopped = true;
    clearTimeout(retry);
    stop();
  };
}
