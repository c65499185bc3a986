// The log of requests and sockets: each once, by id, with caller and operation, and without secrets.
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createHealthRoute } from '../../../gateway/http/health.ts';
import { createReadiness } from '#platform/readiness.ts';
import { type Site, bearer, startSite } from '../site.ts';
import { recordingLog, until } from '../world.ts';

const { log, told } = recordingLog();
let site: Site;
beforeEach(async () => {
  told.length = 0;
  site = await startSite({ log, routes: () => [createHealthRoute(createReadiness({}, {}, log))] });
  site.world.keys.set('key-secret', { accountId: 'a', keyId: 'k1', scopes: ['read'] });
});
afterEach(() => site.close());

const info = () => told.filter(({ level }) => level === 'info');
/** The entries at level info, once there are `count`. */
async function tellings(count: number) {
  await until(() => info().length >= count);
  expect(JSON.stringify(told)).not.toMatch(/key-secret|correct horse|token-new/);
  return info();
}

test('a GraphQL request is logged once, with its id, caller, operation, status, time and bytes', async () => {
  const answer = await site.graphql('query ofMine { viewerKind }', bearer('key-secret'));
  const text = await answer.text();
  const all = await tellings(1);
  expect(all.map(({ message }) => message)).toEqual(['a request']);
  const fields = all[0]?.fields ?? {};
  expect(fields).toMatchObject({
    requestId: answer.headers.get('x-request-id'),
    route: 'graphql',
    operation: 'ofMine',
    accountId: 'a',
    keyId: 'k1',
    address: '127.0.0.1',
    method: 'POST',
    status: 200,
  });
  expect(fields['ms']).toBeGreaterThanOrEqual(0);
  expect(fields['bytes']).toBeGreaterThan(text.length);
});

test('a sign-in is logged with its account, a refused one without one', async () => {
  const signIn = (password: string) =>
    fetch(`${site.url}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: site.url },
      body: JSON.stringify({ email: 'a@example.com', password }),
    });
  await (await signIn('wrong')).text();
  await tellings(1);
  await (await signIn('correct horse')).text();
  const [refused, done] = await tellings(2);
  expect(refused?.fields).toMatchObject({ route: 'sign-in', operation: '/auth/sign-in', status: 401 });
  expect(refused?.fields).not.toHaveProperty('accountId');
  expect(done?.fields).toMatchObject({ route: 'sign-in', operation: '/auth/sign-in', status: 200, accountId: 'a' });
});

test('health checks are logged at level debug only', async () => {
  await (await fetch(`${site.url}/health/live`)).text();
  await until(() => told.length > 0);
  expect(told.map(({ level, fields }) => [level, fields['route']])).toEqual([['debug', 'health']]);
});

test('a socket is logged when it opens and, with its caller, when it closes', async () => {
  const socket = new WebSocket(`${site.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: bearer('key-secret') }));
  await once(socket, 'message');
  socket.close();
  const [opened, closed] = await tellings(2);
  expect([opened?.message, closed?.message]).toEqual(['a socket opened', 'a socket closed']);
  expect(closed?.fields).toMatchObject({ requestId: opened?.fields['requestId'], route: 'graphql', accountId: 'a', keyId: 'k1' });
});
