// Stands in for the product in the sandbox's own tests: stores what it receives and answers as told.
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listen } from './listener.ts';
import type { NodeBindings } from './listener.ts';

export interface Received {
  path: string;
  body: string;
  headers: Record<string, string>;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The statuses of the next answers; 200 when the list is empty. */
  answers: ContentfulStatusCode[];
  /** Chooses the status by the received message; takes precedence over `answers`. */
  judge: ((received: Received) => ContentfulStatusCode) | null;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const app = new Hono<NodeBindings>();
  const listener = await listen(app, '127.0.0.1', 0);
  const receiver: Receiver = { url: listener.url, received: [], answers: [], judge: null, close: listener.close };
  app.post('*', async (c) => {
    const received = { path: c.req.path, body: await c.req.text(), headers: c.req.header() };
    receiver.received.push(received);
    return c.body('', receiver.judge?.(received) ?? receiver.answers.shift() ?? 200);
  });
  return receiver;
}
