// The one way to the graph: queries and mutations over HTTP, live figures over one WebSocket, both with the session cookie.
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createSocket, type Client as Socket } from 'graphql-ws';

/** idle: nothing is subscribed. lost: something is, and the socket is down; it comes back by itself. */
export type ConnectionStatus = 'idle' | 'connecting' | 'live' | 'lost';

let status = $state<ConnectionStatus>('idle');

export const connection = {
  get status() {
    return status;
  },
  /** Drops the socket and opens a new one at once, for someone who does not want to wait for the next try. */
  retry() {
    socket.terminate();
  },
};

const socketUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`;

const socket: Socket = createSocket({
  url: socketUrl,
  lazy: true,
  // Page changes drop one subscription and open the next: keep the socket in between.
  lazyCloseTimeout: 5_000,
  keepAlive: 15_000,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  // 1, 2, 4, 8 seconds, then 10, each with up to half a second of spread.
  retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, Math.min(1_000 * 2 ** retries, 10_000) + Math.random() * 500)),
  on: {
    connecting: (isRetry) => {
      if (!isRetry && status !== 'lost') status = 'connecting';
    },
    connected: () => {
      status = 'live';
    },
    closed: (event) => {
      status = (event as CloseEvent).code === 1000 ? 'idle' : 'lost';
    },
  },
});

if (typeof window !== 'undefined') {
  // A dead network is otherwise noticed only at the next ping.
  window.addEventListener('offline', () => {
    if (status === 'live') status = 'lost';
  });
  window.addEventListener('online', () => {
    if (status === 'lost') socket.terminate();
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
