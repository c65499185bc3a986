// A web site to reach through the proxies: it tells visitors the address from which they come, and sends as many bytes as they ask for.
import { Hono } from 'hono';
import { type Listener, type NodeBindings, listen } from '../listener.ts';

export interface TargetSite extends Listener {
  /** For the proxy node's rules: the only address on this machine that lines may reach. */
  endpoint: { address: string; port: number };
}

const MAX_BYTES = 100_000_000;

/** `host` is an address; `port` 0 takes a free one. */
export async function startTargetSite({ host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {}): Promise<TargetSite> {
  const app = new Hono<NodeBindings>();
  app.get('/', (c) => c.text(`You come from ${c.env.incoming.socket.remoteAddress}.\n`));
  app.get('/bytes/:count{[0-9]+}', (c) => {
    const count = Number(c.req.param('count'));
    return count > MAX_BYTES
      ? c.text('At most 100000000 bytes.\n', 400)
      : c.body(new Uint8Array(count), 200, { 'Content-Type': 'application/octet-stream' });
  });
  app.post('/echo', async (c) => c.body(await c.req.arrayBuffer()));
  const listener = await listen(app, host, port);
  return { ...listener, endpoint: { address: host, port: Number(new URL(listener.url).port) } };
}
