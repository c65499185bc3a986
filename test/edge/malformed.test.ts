import { expect, test } from 'vitest';
import { fail } from '#platform/errors.ts';
import { chance } from '../kit/chance.ts';
import { malformed, sendMalformed } from './malformed.ts';
import { PUBLIC, connectHead, startEcho, startWorld } from './world.ts';

test('two thousand malformed inputs neither stop the node nor leave anything open, and reach no forbidden target', async () => {
  const patient = { refuse: () => Promise.reject(fail('proxy_credentials_wrong')) };
  const world = await startWorld({ attempts: patient, limits: { headMs: 50, lingerMs: 20 } });
  const echo = await startEcho();
  world.route('target.example', [PUBLIC], echo.endpoint);
  const plan = world.ledger.plan();
  const random = chance(1);
  const inputs = Array.from({ length: 2_000 }, () => malformed(random, plan.username, echo.endpoint.port));
  expect(await sendMalformed(world.port, inputs, 16)).toBe(2_000);
  while (world.edge.figures().connections > 0) await new Promise((done) => setImmediate(done));
  expect(world.edge.figures().tunnels).toBe(0);
  expect([...world.edge.plans.meters()].every(({ connections }) => connections === 0)).toBe(true);
  expect(world.dialled.every(({ target }) => target.startsWith(`${PUBLIC}:`))).toBe(true);
  // Inputs that stayed valid have reached the echo server.
  expect(echo.sockets.length).toBeGreaterThan(100);
  const client = await world.client();
  client.write(`${connectHead(`target.example:${echo.endpoint.port}`, plan.username)}hello`);
  await client.until('hello');
  await world.close();
  await echo.close();
});
