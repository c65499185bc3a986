// Subscriptions over Server-Sent Events, documents by their hash, and batches, which are refused.
import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fail } from '#platform/errors.ts';
import { EventStreams, type STREAM_LIMITS } from '../../../gateway/graph/event-streams.ts';
import type { ResultStream } from '../../../gateway/graph/sources/source.ts';
import type { Access } from '../../../gateway/sign-in/access.ts';
import { type Site, bearer, startSite } from '../site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ streams: { perAccount: 2, keepAliveMs: 20 } });
});
afterAll(() => site.close());

const page = { cookie: 'egress_session=token-a' };
const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${site.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const stream = (query: string, headers: Record<string, string>, signal?: AbortSignal) =>
  post({ query }, { accept: 'text/event-stream', ...headers }, signal);

/** The parts of a stream as they come, comments too. */
async function* partsOf(response: Response): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    yield* parts;
  }
}
const dataOf = (part: string): unknown => JSON.parse(/^event: next\ndata: (.*)$/.exec(part)?.[1] ?? 'null');
async function nextEvent(parts: AsyncGenerator<string>): Promise<string> {
  for (;;) {
    const { value, done } = await parts.next();
    if (done) return 'the end';
    if (value !== ':') return value;
  }
}
const open = () => site.world.openSubscriptions.size;
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const CHANGES = 'subscription { planChanged { id name } }';

describe('a subscription over Server-Sent Events', () => {
  test.each([
    ['a key', bearer('key-a')],
    ['a page', page],
  ])('sends %s each event, comments between them, and reaches its source with its end', async (_, headers) => {
    const leave = new AbortController();
    const response = await stream(CHANGES, headers, leave.signal);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const parts = partsOf(response);
    await until(() => open() === 1);
    expect((await parts.next()).value).toBe(':');
    for (const id of ['1', '3']) {
      site.world.publish(id);
      expect(dataOf(await nextEvent(parts))).toMatchObject({ data: { planChanged: { id } } });
    }
    leave.abort();
    // Comments that had arrived before come first.
    const rest = async () => {
      while (!(await parts.next()).done);
    };
    await expect(rest()).rejects.toThrow();
    await until(() => open() === 0);
  });

  test('ends with the reason when its key is revoked', async () => {
    const parts = partsOf(await stream(CHANGES, bearer('key-servers')));
    await until(() => open() === 1);
    const key = site.world.keys.get('key-servers');
    Object.assign(key ?? {}, { failure: 'key_revoked' });
    site.access.invalidate('k2');
    expect(dataOf(await nextEvent(parts))).toMatchObject({ errors: [{ extensions: { code: 'key_revoked' } }] });
    expect(await nextEvent(parts)).toBe('event: complete\ndata:');
    expect(await nextEvent(parts)).toBe('the end');
    await until(() => open() === 0);
    delete key?.failure;
    site.access.invalidate('k2');
  });

  test('ends when the rights of its caller change, so that it is opened again with the new ones', async () => {
    const parts = partsOf(await stream(CHANGES, page));
    await until(() => open() === 1);
    const before = site.world.sessions.get('token-a');
    site.world.sessions.set('token-a', { accountId: 'a', sessionId: 's1', role: 'STAFF', permissions: ['refund'] });
    expect(dataOf(await nextEvent(parts))).toMatchObject({ errors: [{ extensions: { code: 'overloaded' } }] });
    await until(() => open() === 0);
    if (before) site.world.sessions.set('token-a', before);
  });

  test('is for callers with an account, and each has so many', async () => {
    const stranger = await stream(CHANGES, {});
    expect([stranger.status, await stranger.json()]).toMatchObject([401, { errors: [{ extensions: { code: 'session_invalid' } }] }]);
    const leave = new AbortController();
    for (let count = 0; count < 2; count++) await stream(CHANGES, page, leave.signal);
    const third = await stream(CHANGES, page);
    expect(await third.json()).toMatchObject({ errors: [{ extensions: { code: 'connections_exhausted' } }] });
    expect(third.status).toBe(429);
    leave.abort();
    await until(() => open() === 0);
  });

  test('a query is one event and the end, and what is refused has its status', async () => {
    const parts = partsOf(await stream('{ plans(first: 1) { id } }', bearer('key-a')));
    expect(dataOf(await nextEvent(parts))).toMatchObject({ data: { plans: [{ id: '1' }] }, extensions: { cost: { requested: 1 } } });
    expect(await nextEvent(parts)).toBe('event: complete\ndata:');
    const refused = await stream('{ nothing }', page);
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ extensions: { code: 'query_refused' } }] }]);
    const lacking = await stream('mutation { planRename(id: "1", name: "x") { id } }', bearer('key-a'));
    expect([lacking.status, await lacking.json()]).toMatchObject([403, { errors: [{ extensions: { requiredScope: 'servers' } }] }]);
  });
});

describe('a document that was sent with its hash', () => {
  const query = '{ plans(first: 2) { id } }';
  const hash = createHash('sha256').update(query).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };

  test('is asked for by its hash alone, by the same account', async () => {
    // As clients of the protocol know it: Apollo's and urql's compare the message.
    const first = await post({ extensions }, bearer('key-a'));
    expect([first.status, await first.json()]).toMatchObject([
      200,
      { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'persisted_query_not_found' } }] },
    ]);
    expect(await (await post({ query, extensions }, bearer('key-a'))).json()).toMatchObject({
      data: { plans: [{ id: '1' }, { id: '2' }] },
    });
    for (const body of [{ extensions }, { documentId: `sha256:${hash}` }])
      expect(await (await post(body, bearer('key-a'))).json()).toMatchObject({ data: { plans: [{ id: '1' }, { id: '2' }] } });
    site.world.sessions.set('token-b', { accountId: 'b', sessionId: 's2' });
    const other = await post({ extensions }, { cookie: 'egress_session=token-b' });
    expect(await other.json()).toMatchObject({ errors: [{ extensions: { code: 'persisted_query_not_found' } }] });
  });

  test('has the hash that was sent with it', async () => {
    for (const body of [
      { query: '{ meterReady }', extensions },
      { documentId: 'md5:1' },
      { query, extensions: { persistedQuery: { version: 2, sha256Hash: hash } } },
    ])
      expect(await (await post(body, bearer('key-a'))).json()).toMatchObject({ errors: [{ extensions: { code: 'parameter_invalid' } }] });
  });
});

test('a batch is refused in words', async () => {
  const answer = await post([{ query: '{ meterReady }' }, { query: '{ viewerKind }' }], bearer('key-a'));
  expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'parameter_invalid', reasonCode: 'graphql_batch' } }] });
});

describe('streams by themselves', () => {
  const origin = { address: '127.0.0.1', requestId: 'req_x' };
  const viewer = { kind: 'session', accountId: 'a', sessionId: 's1', staff: false, ...origin } as const;
  const holder = { credential: { token: 'token-a' }, viewer, origin };
  const opened: EventStreams[] = [];
  const streamsOf = (limits: Partial<typeof STREAM_LIMITS> = {}, access: Partial<Access> = {}) => {
    const streams = new EventStreams({ onInvalidate: () => () => {}, sessionNow: async () => viewer, ...access } as Access, limits);
    opened.push(streams);
    return streams;
  };
  afterEach(() => {
    for (const streams of opened.splice(0)) streams.close();
  });
  /** To a client that reads nothing: what is sent stays in the process, and the response is never over. */
  const toNobody = () => new ServerResponse(new IncomingMessage(new Socket()));
  /** Results that never come. */
  const silence = () => {
    const results = {
      returned: 0,
      next: () => new Promise<never>(() => {}),
      return: async () => ({ done: true, value: results.returned++ }),
    };
    return Object.assign(results, { [Symbol.asyncIterator]: () => results }) as unknown as ResultStream & { returned: number };
  };

  test('nothing is written after the end, however slowly the client reads it', async () => {
    const response = toNobody();
    const errors: unknown[] = [];
    response.on('error', (error) => errors.push(error));
    const streams = streamsOf({ keepAliveMs: 1 });
    await streams.send(response, holder, async () => silence());
    streams.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([response.writableEnded, errors]).toEqual([true, []]);
  });

  test('a client that went before its results came leaves nothing open', async () => {
    const [response, results] = [toNobody(), silence()];
    response.destroy();
    const streams = streamsOf({ perAccount: 1 });
    await streams.send(response, holder, async () => results);
    expect(results.returned).toBe(1);
    await streams.send(toNobody(), holder, async () => silence());
  });

  test('those that open at the same time count too, and those that could not open do not', async () => {
    const streams = streamsOf({ perAccount: 1, all: 2 });
    await expect(streams.send(toNobody(), holder, () => Promise.reject(fail('internal')))).rejects.toMatchObject({ code: 'internal' });
    const first = streams.send(toNobody(), holder, async () => silence());
    await expect(streams.send(toNobody(), holder, async () => silence())).rejects.toMatchObject({ code: 'connections_exhausted' });
    await streams.send(toNobody(), { ...holder, viewer: { ...viewer, accountId: 'b' } }, async () => silence());
    await expect(
      streams.send(toNobody(), { ...holder, viewer: { ...viewer, accountId: 'c' } }, async () => silence()),
    ).rejects.toMatchObject({
      code: 'overloaded',
    });
    await first;
  });

  test('are looked up so many at a time, and end when the rights of their caller change', async () => {
    let [asked, most] = [0, 0];
    let rights: object = viewer;
    const sessionNow = async () => {
      most = Math.max(most, ++asked);
      await new Promise((resolve) => setTimeout(resolve, 2));
      asked--;
      return rights as typeof viewer;
    };
    const streams = streamsOf({ recheckMs: 5, recheckAtOnce: 2 }, { sessionNow });
    const responses = Array.from({ length: 5 }, toNobody);
    for (const [index, response] of responses.entries())
      await streams.send(response, { ...holder, credential: { token: `token-${index}` } }, async () => silence());
    await until(() => most === 2);
    expect(responses.some(({ writableEnded }) => writableEnded)).toBe(false);
    rights = { ...viewer, staff: true, permissions: ['refund'] };
    await until(() => responses.every(({ writableEnded }) => writableEnded));
    expect(most).toBe(2);
  });
});
