// PostgreSQL's LISTEN for one process: one connection, kept alive, and a call to every listener after a reconnect, since notices were missed meanwhile.
import { Client } from 'pg';
import type { Log } from './log.ts';

export interface Notifications {
  /** `listener` gets the payload; undefined after a reconnect: "look for yourself". Returns how to stop. */
  listen(channel: string, listener: (payload: string | undefined) => void): Promise<() => void>;
  close(): Promise<void>;
}

const RETRY_MS = 250;

export async function openNotifications(url: string, log: Log): Promise<Notifications> {
  const listeners = new Map<string, Set<(payload: string | undefined) => void>>();
  let client: Client | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const fresh = new Client({ connectionString: url, keepAlive: true, application_name: 'egress-notifications' });
    fresh.on('notification', ({ channel, payload }) => listeners.get(channel)?.forEach((listener) => listener(payload)));
    fresh.on('error', (error) => log.warn({ error: error.message }, 'notifications interrupted'));
    fresh.on('end', () => {
      if (!closed && client === fresh) void reconnect();
    });
    await fresh.connect();
    for (const channel of listeners.keys()) await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    client = fresh;
  };
  const reconnect = async (): Promise<void> => {
    client = undefined;
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
        await client?.query(`listen ${client.escapeIdentifier(channel)}`);
      }
      return () => void set.delete(listener);
    },
    async close() {
      closed = true;
      await client?.end();
    },
  };
}
