// Vendors that hang: they accept every connection and every byte but never answer, or stop in the middle of an answer.
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';

export type Stall = 'silent' | 'half';

const stalled = new Map<string, Stall>();

/** Makes the server at `url` hang, until it is called with `undefined`; connections that hang already stay so. */
export function stall(url: string, how: Stall | undefined): void {
  if (how) stalled.set(url, how);
  else stalled.delete(url);
}

export const stallOf = (url: string): Stall | undefined => stalled.get(url);

/** The answer of a vendor that hangs; resolves when the client has given up. */
export async function hang({ incoming, outgoing }: HttpBindings, how: Stall): Promise<Response> {
  if (how === 'half')
    (outgoing as ServerResponse).writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 }).write('{"data":');
  const { socket } = incoming;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return RESPONSE_ALREADY_SENT;
}
