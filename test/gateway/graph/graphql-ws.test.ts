import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket, { type ClientOptions as SocketOptions } from 'ws';
import { type Site, startSite } from '../site.ts';
import { MODES, until } from '../world.ts';

/** A WebSocket class that sends these headers, as the client takes a class and no options. */
const socketWith = (headers: Record<string, string>) =>
  class extends WebSocket {
    constructor(address: string, protocols: string[], options?: SocketOptions) {
      super(address, protocols, { ...options, headers });
    }
  };

describe.each(MODES)('a socket to a gateway over subgraphs %s', (mode) => {
  let site: Site;
  const clients: Client[] = [];
  beforeEach(async () => {
    site = await startSite({
      mode,
      sockets: { recheckMs: 20, subscriptionsPerConnection: 3, initMs: 200 },
      front: { upgradeLimits: { openPerAddress: 5 } },
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose();
    await site.close();
  });

  const cookie = { cookie: 'egress_session=token-a' };
  function open(headers: Record<string, string> = {}, options: Partial<ClientOptions> = {}): Client {
    const client = createClient({
      url: `${site.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: socketWith(headers),
      retryAttempts: 0,
      lazy: true,
      ...options,
    });
    clients.push(client);
    return client;
  }
  /** Collects a subscription's results; `ended` resolves to its error, or to how it ended. */
  function collect(client: Client, query = 'subscription { planChanged { id used } }') {
    const results: unknown[] = [];
    let stop = () => {};
    const ended = new Promise<unknown>((resolve) => {
      stop = client.subscribe({ query }, { next: (result) => results.push(result), error: resolve, complete: () => resolve('complete') });
    });
    return { results, ended, stop };
  }
  const subscribed = (count = 1) => until(() => site.world.openSubscriptions.size === count);
  /** Identical ones share one at the subgraph. */
  const subscribers = (count: number) => until(async () => (await site.metrics.subscriptions.get()).values[0]?.value === count);

  test('a signed-in page gets events, joined, until it stops', async () => {
    const { results, ended, stop } = collect(open({ ...cookie, origin: site.url }));
    await subscribed();
    site.world.publish('2');
    await until(() => results.length === 1);
    expect(results).toEqual([{ data: { planChanged: { id: '2', used: 200 } } }]);
    stop();
    expect(await ended).toBe('complete');
    await subscribed(0);
  });

  test.each([
    ['in the connection’s parameters', {}, { connectionParams: { authorization: 'Bearer key-a' } }],
    ['in the Authorization header', { authorization: 'Bearer key-a' }, {}],
  ])('a key %s gets events, and each operation counts against its bucket', async (_, headers, options) => {
    const client = open(headers, options);
    const { results, stop } = collect(client);
    await subscribed();
    site.world.publish('1');
    await until(() => results.length === 1);
    stop();
    const { rate } = await site.access.admitKey('Bearer key-a', { address: '127.0.0.1', requestId: 'req_x' });
    expect(rate.remaining).toBe(118);
  });

  test('a key that has used its 120 gets rate_limited, and may not change anything', async () => {
    const client = open({}, { connectionParams: { authorization: 'Bearer key-a' } });
    expect(await collect(client, 'mutation { planRename(id: "1", name: "x") { id } }').ended).toMatchObject([
      { extensions: { code: 'forbidden' } },
    ]);
    expect(site.world.plans.get('1')?.name).toBe('Plan 1');
    await Promise.all(
      Array.from({ length: 120 }, () => site.access.admitKey('Bearer key-a', { address: '127.0.0.1', requestId: 'req_x' })),
    );
    expect(await collect(client).ended).toMatchObject([{ extensions: { code: 'rate_limited' } }]);
  });

  test.each([
    ['nobody', {}, {}, 'session_invalid'],
    ['a session that is over', { cookie: 'egress_session=old' }, {}, 'session_invalid'],
    ['an unknown key', {}, { connectionParams: { authorization: 'Bearer key-nope' } }, 'key_unknown'],
    ['an empty key', {}, { connectionParams: { authorization: '' } }, 'key_missing'],
  ])('%s is not let in', async (_, headers, options, reason) => {
    expect(await collect(open(headers as Record<string, string>, options)).ended).toMatchObject({ code: 4401, reason });
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1'])('a page of %s is refused before the socket opens', async (foreign) => {
    const socket = new WebSocket(`${site.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { ...cookie, origin: foreign },
    });
    const status = await new Promise((resolve) => socket.once('unexpected-response', (_request, response) => resolve(response.statusCode)));
    expect(status).toBe(403);
    socket.on('error', () => {});
    socket.terminate();
  });

  test('a session that ends closes the socket and its sources', async () => {
    const { ended } = collect(open(cookie));
    await subscribed();
    site.world.sessions.delete('token-a');
    expect(await ended).toMatchObject({ code: 4401, reason: 'session_invalid' });
    await subscribed(0);
  });

  test('a revoked key closes the socket and its sources at the notice', async () => {
    const { ended } = collect(open({}, { connectionParams: { authorization: 'Bearer key-a' } }));
    await subscribed();
    site.world.keys.set('key-a', { accountId: 'a', keyId: 'k1', scopes: [], failure: 'key_revoked' });
    site.access.invalidate('k1');
    expect(await ended).toMatchObject({ code: 4401, reason: 'key_revoked' });
    await subscribed(0);
  });

  test('a socket is closed when its caller’s permissions change, so that it is opened again with the new ones', async () => {
    const { ended } = collect(open(cookie));
    await subscribed();
    site.world.sessions.set('token-a', { accountId: 'a', sessionId: 's1', role: 'STAFF', permissions: ['refund'] });
    expect(await ended).toMatchObject({ code: 4500, reason: 'rights_changed' });
    await subscribed(0);
  });

  test('refused operations say why, and the socket stays open', async () => {
    const client = open(cookie);
    expect(await collect(client, 'subscription { nothing }').ended).toMatchObject([{ extensions: { code: 'query_refused' } }]);
    expect(await collect(client, 'subscription { planChanged @include(if: $x) { id } }').ended).toMatchObject([
      { extensions: { code: 'query_refused' } },
    ]);
    expect(await collect(client, '{').ended).toMatchObject([{ extensions: { code: 'query_refused' } }]);
    const { results, ended } = collect(client, '{ viewerKind }');
    expect(await ended).toBe('complete');
    expect(results).toEqual([{ data: { viewerKind: 'session' } }]);
  });

  test('a connection has a maximum number of operations', async () => {
    const client = open(cookie);
    for (let count = 0; count < 3; count++) collect(client);
    await subscribers(3);
    expect(await collect(client).ended).toMatchObject([{ extensions: { code: 'query_refused' } }]);
  });

  test('an address has a maximum number of connections, and closed ones do not count', async () => {
    const sockets = Array.from({ length: 5 }, () => open(cookie));
    for (const client of sockets) collect(client);
    await subscribers(5);
    expect(await collect(open(cookie)).ended).toMatchObject({ message: expect.stringContaining('503') });
    await sockets[0]?.dispose();
    await subscribers(4);
    await until(async () => {
      const { ended, stop } = collect(open(cookie), '{ viewerKind }');
      const how = await ended;
      stop();
      return how === 'complete';
    });
  });

  test('a socket that says nothing, or too much, is closed', async () => {
    const address = `${site.url.replace('http', 'ws')}/graphql`;
    const silent = new WebSocket(address, 'graphql-transport-ws', { headers: cookie });
    const loud = new WebSocket(address, 'graphql-transport-ws', { headers: cookie });
    loud.on('open', () => loud.send('x'.repeat(70_000)));
    loud.on('error', () => {});
    const closed = (socket: WebSocket) => new Promise((resolve) => socket.once('close', resolve));
    expect(await Promise.all([closed(silent), closed(loud)])).toEqual([4408, 1009]);
  });

  test('when the front closes, sockets are told that it stops', async () => {
    const { ended } = collect(open(cookie));
    await subscribed();
    await site.front.close();
    expect(await ended).toMatchObject({ code: 1012, reason: 'stopping' });
    await subscribed(0);
  });
});
