// A process that runs all attacks of strangers, outdated tools and a hostile customer at once, each at a steady rate and from its own addresses, until it is
// told to stop or its time is over. Then it prints the answers it got. Its only argument is a Scene.
import { type OutgoingHttpHeaders, request } from 'node:http';
import { type Socket, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { SLOW_KINDS, startSlowClient } from './slow-client.ts';
import { placeOrder } from '../../kit/purchase.ts';

export interface Scene {
  port: number;
  proxyPort: number;
  socksPort: number;
  /** The account that strangers try to lock out. */
  victim: string;
  /** The session cookie of the hostile customer. */
  cookie: string;
  apiKey: string;
  plan: string;
  /** Username and old password of a proxy line. */
  staleLine: string;
  seconds: number;
}

/** Counts by attack and answer: a status, an error code of the graph, or how the connection ended. */
export type Tally = Record<string, Record<string, number>>;

interface Answer {
  status: number;
  text: string;
}

const scene = JSON.parse(process.argv[2] ?? '{}') as Scene;
const over = AbortSignal.timeout(scene.seconds * 1_000);
process.once('SIGTERM', () => process.exit(0));

const tally: Tally = {};
const count = (attack: string, outcome: string) => {
  const row = (tally[attack] ??= {});
  row[outcome] = (row[outcome] ?? 0) + 1;
};

function send(from: string, method: string, path: string, headers: OutgoingHttpHeaders, body?: string): Promise<Answer> {
  return new Promise((answer, reject) => {
    const call = request(
      { host: '127.0.0.1', port: scene.port, localAddress: from, method, path, headers, agent: false, timeout: 20_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part.length + text.length > 65_536 ? '' : part));
        response.on('end', () => answer({ status: response.statusCode ?? 0, text })).on('error', reject);
      },
    );
    call.on('timeout', () => call.destroy(new Error('never answered')));
    call.on('error', reject);
    call.end(body);
  });
}

const JSON_BODY = { 'content-type': 'application/json' };
const graph = (from: string, headers: OutgoingHttpHeaders, query: string, variables: object = {}) =>
  send(from, 'POST', '/graphql', { ...JSON_BODY, ...headers }, JSON.stringify({ query, variables }));
const outcomeOf = ({ status, text }: Answer) => `${status} ${/"code":"([a-z_]+)"/.exec(text)?.[1] ?? ''}`.trim();

/** A GraphQL document that is new each time, by its names. */
const unknownDocument = () => {
  const name = `a${Math.random().toString(36).slice(2)}`;
  const fields = Array.from(
    { length: 29 },
    (_, index) => `${name}${index}:server(id:"x"){id hostname ...on Vps{status} billing{id} account{id email}}`,
  );
  return `query ${name}{${fields.join(' ')}}`;
};

const customer = { cookie: scene.cookie };
/** Numbers the idempotency keys, so that each is new. */
let orders = 0;

interface Attack {
  name: string;
  /** Rate per second. */
  pace: number;
  once(from: string): Promise<string>;
}

/** Sends bytes to a port and resolves with how the other side ended the connection. */
const raw = (from: string, port: number, bytes: string | Buffer) =>
  new Promise<string>((answer) => {
    const socket: Socket = connect({ host: '127.0.0.1', port, localAddress: from }, () => socket.write(bytes));
    let first = '';
    socket.setTimeout(20_000, () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      first ||= part.toString('latin1').slice(0, 12).trim();
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => answer(first || 'closed'));
  });

const ATTACKS: readonly Attack[] = [
  {
    name: 'sockets that go while they sign in',
    pace: 20,
    once: (from) =>
      new Promise((answer) => {
        const socket = new WebSocket(`ws://127.0.0.1:${scene.port}/graphql`, 'graphql-transport-ws', { localAddress: from });
        socket.on('open', () =>
          socket.send(
            JSON.stringify({
              type: 'connection_init',
              payload: { authorization: `Bearer ${' '.repeat(Math.floor(Math.random() * 200))}${scene.apiKey}` },
            }),
            () => socket.terminate(),
          ),
        );
        socket.on('unexpected-response', (call, response) => {
          call.destroy();
          answer(String(response.statusCode));
        });
        socket.on('error', () => {});
        socket.on('close', () => answer('gone'));
      }),
  },
  { name: 'documents nobody knows', pace: 20, once: async (from) => outcomeOf(await graph(from, {}, unknownDocument())) },
  {
    name: 'thirty generations in one',
    pace: 0.5,
    once: async (from) => {
      const fields = Array.from(
        { length: 30 },
        (_, index) =>
          `a${index}:residentialProxies(planId:${JSON.stringify(scene.plan)} input:{targeting:{pool:"DE"} session:STICKY quantity:10000}){text}`,
      );
      return outcomeOf(await graph(from, { authorization: `Bearer ${scene.apiKey}` }, `{${fields.join(' ')}}`));
    },
  },
  {
    name: 'wrong log-ins',
    pace: 5,
    once: async (from) =>
      outcomeOf(
        await send(from, 'POST', '/auth/sign-in', JSON_BODY, JSON.stringify({ email: scene.victim, password: `guess ${Math.random()}` })),
      ),
  },
  {
    name: 'recoveries',
    pace: 1,
    once: async (from) =>
      outcomeOf(await graph(from, {}, 'mutation ($email: String!) { accountRecover(email: $email) { email } }', { email: scene.victim })),
  },
  {
    name: 'NUL and lone surrogates',
    pace: 5,
    once: async (from) =>
      outcomeOf(
        await send(
          from,
          'POST',
          '/auth/sign-in',
          JSON_BODY,
          `{"email":"a${Math.random() < 0.5 ? '\\u0000' : '\\ud800'}@b.co","password":"x"}`,
        ),
      ),
  },
  {
    name: 'forged notices',
    pace: 5,
    once: async (from) =>
      outcomeOf(await send(from, 'POST', '/webhooks/card', { ...JSON_BODY, 'stripe-signature': 't=1,v1=00' }, '{"id":"evt_1"}')),
  },
  {
    name: 'orders that nobody pays',
    pace: 2,
    once: async (from) => {
      const offered = await graph(from, customer, '{ residentialOffer(product: PREMIUM, gigabytes: 3) { token } }');
      const token = /"token":"([^"]+)"/.exec(offered.text)?.[1];
      if (!token) return outcomeOf(offered);
      return outcomeOf(
        await graph(from, customer, placeOrder('id', 'CRYPTO'), {
          offer: token,
          key: `hostile-${++orders}`,
        }),
      );
    },
  },
  {
    name: 'a stale tool at the node',
    pace: 10,
    once: (from) =>
      raw(
        from,
        scene.proxyPort,
        `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nProxy-Authorization: Basic ${Buffer.from(scene.staleLine).toString('base64')}\r\n\r\n`,
      ),
  },
  { name: 'noise at the SOCKS port', pace: 5, once: (from) => raw(from, scene.socksPort, Buffer.from([5, 1, 2, 1, 255, 0, 0])) },
  {
    name: 'requests that mean two things',
    pace: 5,
    once: (from) => raw(from, scene.port, 'GET /v1/residential HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n'),
  },
];

async function keepUp({ name, pace, once }: Attack, from: string): Promise<void> {
  while (!over.aborted) {
    // Not awaited: an attacker does not wait for answers.
    void once(from).then(
      (outcome) => count(name, outcome),
      (error: unknown) => count(name, error instanceof Error ? error.message : String(error)),
    );
    await pause(1_000 / pace, undefined, { signal: over }).catch(() => {});
  }
}

const PORTS = { public: scene.port, http: scene.proxyPort, socks5: scene.socksPort };

/** Keeps one slow client of each kind connected; one that was disconnected is replaced. */
async function keepSlow(): Promise<void> {
  const clients = SLOW_KINDS.map((kind, place) => startSlowClient(kind, PORTS[kind.port], `127.0.60.${place + 1}`));
  while (!over.aborted) {
    await pause(1_000, undefined, { signal: over }).catch(() => {});
    for (const [place, client] of clients.entries()) {
      if (!client.ended) continue;
      count('slow clients', 'shown out');
      clients[place] = startSlowClient(client.kind, PORTS[client.kind.port], `127.0.60.${place + 1}`);
    }
  }
  for (const client of clients) client.close();
}

await Promise.all([...ATTACKS.map((attack, place) => keepUp(attack, `127.0.61.${place + 1}`)), keepSlow()]);
// Give pending requests time for an answer.
await pause(1_000);
process.stdout.write(JSON.stringify(tally), () => process.exit(0));
