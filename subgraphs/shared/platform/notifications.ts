// PostgreSQL's LISTEN for one process, on one connection. After a reconnect every listener is called, because notifications may have been missed.
import type { Socket } from 'node:net';
import { Client } from 'pg';
import type { Log } from './log.ts';

export interface Notifications {
  /** `listener` gets the payload; undefined after a reconnect: it must read the state itself. Returns a function that stops it. */
  listen(channel: string, listener: (payload: string | undefined) => void): Promise<() => void>;
  close(): Promise<void>;
}

const RETRY_MS = 250;
/** How often the connection is checked: a server that hangs, or a line that is cut off, does not show otherwise. */
const HEARTBEAT_MS = 5_000;
/** How long the answer to a check, or a new connection, may take. */
const PATIENCE_MS = 2_000;

export async function openNotifications(url: string, log: Log): Promise<Notifications> {
  const listeners = new Map<string, Set<(payload: string | undefined) => void>>();
  let client: Client | undefined;
  let closed = false;
  let heartbeat: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const fresh = new Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'egress-notifications',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    fresh.on('notification', ({ channel, payload }) => listeners.get(channel)?.forEach((listener) => listener(payload)));
    fresh.on('error', (error) => log.warn({ error: error.message }, 'notifications interrupted'));
    fresh.on('end', () => lose(fresh));
    try {
      await fresh.connect();
      for (const channel of listeners.keys()) await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch (error) {
      destroy(fresh);
      throw error;
    }
    if (closed) return destroy(fresh);
    client = fresh;
    heartbeat = setInterval(() => fresh.query('select 1').catch(() => lose(fresh)), HEARTBEAT_MS).unref();
  };
  const lose = (lost: Client): void => {
    if (client !== lost) return;
    client = undefined;
    clearInterval(heartbeat);
    destroy(lost);
    if (!closed) void reconnect();
  };
  const reconnect = async (): Promise<void> => {
    while (!closed) {
      try {
        await connect();
        for (const set of listeners.values()) for (const listener of set) listener(undefined);
        return;
      } catch {
        await new Promise((done) => setTimeout(done, RETRY_MS));
      }
    }
  };

  await connect();
  return {
    async listen(channel, listener) {
      const set = listeners.get(channel) ?? new Set();
      set.add(listener);
      if (!listeners.has(channel)) {
        listeners.set(channel, set);
        // If this fails the connection is gone, and the next one listens to every channel.
        const asked = client;
        await asked?.query(`listen ${asked.escapeIdentifier(channel)}`).catch(() => lose(asked));
      }
      return () => void set.delete(listener);
    },
    async close() {
      closed = true;
      clearInterval(heartbeat);
      const last = client;
      if (!last) return;
      const late = setTimeout(() => destroy(last), PATIENCE_MS);
      await last.end();
      clearTimeout(late);
    },
  };
}

/** Closes a connection without a closing message, which could not arrive. */
function destroy(client: Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
