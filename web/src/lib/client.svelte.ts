// The only connection to the graph: queries and mutations over HTTP, subscriptions over one WebSocket, both with the session cookie.
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createSocket, type Client as Socket } from 'graphql-ws';

/** idle: there is no subscription. lost: there are subscriptions, but the socket delivers nothing; it reconnects without help. */
export type ConnectionStatus = 'idle' | 'connecting' | 'live' | 'lost';

// A connection that is lost in a router, a tunnel or a sleeping laptop is never closed: only a missing pong shows the loss.
// Interval and timeout of the ping together are the age that a figure can reach before the page shows the loss: less than five seconds.
/** From one pong to the next ping. */
const PING_MS = 2_000;
/** After this time without a pong the connection counts as lost; a later message makes it live again. */
const PONG_TIMEOUT_MS = 2_500;
/** After this time without a pong the socket is closed and another one is opened. */
const RECONNECT_TIMEOUT_MS = 5_000;
/** How long a new socket may take to open: TCP alone tries for minutes. */
const CONNECT_TIMEOUT_MS = 8_000;

let status = $state<ConnectionStatus>('idle');
/** When the last message came over the socket, milliseconds since 1970. */
let heardAt = $state<number>();

export const connection = {
  get status() {
    return status;
  },
  /** The time up to which the shown figures are known to be current, milliseconds since 1970; undefined before the first message. */
  get heardAt() {
    return heardAt;
  },
  /** Closes the socket and opens a new one at once, for a reader who does not want to wait for the next retry. */
  retry() {
    if (endWait) endWait();
    else socket.terminate();
  },
};

const socketUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`;

let deadline: ReturnType<typeof setTimeout> | undefined;
/** Ends the wait before the next retry; undefined while there is no such wait. */
let endWait: (() => void) | undefined;

function within(milliseconds: number, otherwise: () => void): void {
  clearTimeout(deadline);
  deadline = setTimeout(otherwise, milliseconds);
}

const socket: Socket = createSocket({
  url: socketUrl,
  lazy: true,
  // A change of the page ends one subscription and starts another: the socket stays open in between.
  lazyCloseTimeout: 5_000,
  keepAlive: PING_MS,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  // After 1, 2, 4, 8 seconds, then every 10, each with up to half a second of jitter.
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
    // graphql-ws, Client usage with ping/pong timeout and latency metrics: the caller must handle a ping without a pong.
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
  // The browser reports some losses at once.
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
