// Requests that get no answer.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { NodeBindings } from './listener.ts';

/** Ends the exchange without an answer: at once, or when the client gives up. */
export async function withhold(c: Context<NodeBindings>, how: 'lost_answer' | 'no_answer'): Promise<Response> {
  const { socket } = c.env.incoming;
  if (how === 'lost_answer') socket.destroy();
  else if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return RESPONSE_ALREADY_SENT;
}
