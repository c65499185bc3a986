// The one way to the graph: queries and mutations over HTTP, live figures over one WebSocket, both with the session cookie.
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createSocket, type Client as Socket } from 'graphql-ws';

/** idle: nothing is subscribed. lost: something is, and nothing comes over the socket; it comes back by itself. */
export type ConnectionStatus = 'idle' | 'connecting' | 'live' | 'lost';

// A connection that a router, a sleeping laptop or a tunnel swallows is never closed: only an answer that does not come shows it.
// Interval and timeout of the ping together are how old a figure may be before the page says so: under five seconds.
/** From one answer to the next ping. */
const PING_MS = 2_000;
/** Without a pong for so long the connection counts as lost; what comes later makes it live again. */
const PONG_TIMEOUT_MS = 2_500;
/** Without a pong for so long the socket is closed, and another is opened. */
const RECONNECT_TIMEOUT_MS = 5_000;
/** Until a new socket must be open: TCP alone tries for minutes. */
const CONNECT_TIMEOUT_MS = 8_000;

let status = $state<ConnectionStatus>('idle');
/** When something last came over the socket, milliseconds since 1970. */
let heardAt = $state<number>();

export const connection = {
  get status() {
    return status;
  },
  /** The moment up to which what is shown is known to be so, milliseconds since 1970; undefined: nothing has come yet. */
  get heardAt() {
    return heardAt;
  },
  /** Drops the socket and opens a new one at once, for someone who does not want to wait for the next retry. */
  retry() {
    if (endWait) endWait();
    else socket.terminate();
  },
};

const socketUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`;

let deadline: ReturnType<typeof setTimeout> | undefined;
/** Ends the wait before the next retry; undefined: none is pending. */
let endWait: (() => void) | undefined;

function within(milliseconds: number, otherwise: () => void): void {
  clearTimeout(deadline);
  deadline = setTimeout(otherwise, milliseconds);
}

const socket: Socket = createSocket({
  url: socketUrl,
  lazy: true,
  // Page changes drop one subscription and open the next: keep the socket in between.
  lazyCloseTimeout: 5_000,
  keepAlive: PING_MS,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  // 1, 2, 4, 8 seconds, then 10, each with up to half a second of spread.
  retryWait: (retries) =>
    new Promise((resolve) => {
      endWait = () => {
        clearTimeout(timer);
        endWait = undefined;
        resolve();
      };
      const timer = setTimeout(endWait, Math.min(1_000 * 2 ** retries, 10_000) + Math.random() * 500);
    }),
  on: {
    connecting: (isRetry) => {
      if (!isRetry) {
        heardAt = undefined;
        if (status !== 'lost') status = 'connecting';
      }
      within(CONNECT_TIMEOUT_MS, () => socket.terminate());
    },
    connected: () => {
      clearTimeout(deadline);
      status = 'live';
    },
    // graphql-ws, Client usage with ping/pong timeout and latency metrics: what becomes of a ping without a pong is the caller's to say.
    ping: (received) => {
      if (received) return;
      within(PONG_TIMEOUT_MS, () => {
        status = 'lost';
        within(RECONNECT_TIMEOUT_MS - PONG_TIMEOUT_MS, () => socket.terminate());
      });
    },
    message: ({ type }) => {
      heardAt = Date.now();
      if (type === 'connection_ack') return;
      clearTimeout(deadline);
      if (status === 'lost') status = 'live';
    },
    closed: (event) => {
      clearTimeout(deadline);
      status = (event as CloseEvent).code === 1000 ? 'idle' : 'lost';
    },
  },
});

if (typeof window !== 'undefined') {
  // Some losses the browser knows of at once.
  window.addEventListener('offline', () => {
    if (status === 'live') status = 'lost';
  });
  window.addEventListener('online', () => {
    if (status === 'lost') connection.retry();
  });
}

export const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { credentials: 'same-origin' },
  exchanges: [
    cacheExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: (operation) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ ...operation, query: operation.query ?? '' }, sink as never) }),
      }),
    }),
  ],
});
