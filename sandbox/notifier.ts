// A vendor that tells the product something by itself, by webhooks, notices or reports.
import type { Clock } from '#platform/clock.ts';
import type { Listener } from './listener.ts';
import type { VendorUrls } from './page.ts';
import type { Random } from './random.ts';
import type { Attempt, Retry, Sender } from './sender.ts';
import type { Snapshot } from './snapshot.ts';

export interface NotifierOptions {
  host: string;
  port: number;
  dataDir: string | undefined;
  clock: Clock;
  random: Random;
  retry: Retry;
  vendors: () => VendorUrls;
}

export interface Notifier {
  readonly url: string;
  /** Ends all waits of messages and resolves when none is pending. */
  deliver(): Promise<void>;
  /** Resolves when no message is pending. */
  idle(): Promise<void>;
  /** All attempts to deliver messages in this run, oldest first. */
  attempts(): readonly Attempt[];
  close(): Promise<void>;
}

interface Parts {
  listener: Listener;
  sender: Sender;
  snapshot: Pick<Snapshot<object>, 'flush'>;
  /** What the vendor does by itself. */
  ticking?: NodeJS.Timeout;
}

/** Closes what makes messages before what sends them, and keeps what is pending then. */
export const notifierOf = ({ listener, sender, snapshot, ticking }: Parts): Notifier => ({
  url: listener.url,
  deliver: sender.deliver,
  idle: sender.idle,
  attempts: sender.attempts,
  async close() {
    clearInterval(ticking);
    await listener.close();
    await sender.close();
    await snapshot.flush();
  },
});
