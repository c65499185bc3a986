import { afterEach, expect, test } from 'vitest';
import { type Target, type World, connectHead, localExit, startHttpTarget, startWorld } from './world.ts';

let world: World | undefined;
let site: Target | undefined;
afterEach(async () => {
  await world?.close();
  await site?.close();
});

test('a place that nobody knows is 400 with near matches, one that is empty 503, and another spelling of a known one works', async () => {
  site = await startHttpTarget('hello');
  world = await startWorld({
    exits: [
      localExit(11, { country: 'us', state: 'new_york', city: 'new_york_city' }),
      localExit(12, { country: 'us', state: 'texas', city: 'marfa' }),
      localExit(13, { country: 'gb' }),
    ],
  });
  world.route('shop.example', ['93.184.215.14'], site.endpoint);
  const { username } = world.ledger.plan();
  const says = async (parts: string) => {
    const client = await (world as World).client();
    client.write(connectHead(`shop.example:${(site as Target).endpoint.port}`, `${username}${parts}`));
    const head = (await client.until('\r\n\r\n')).toString();
    return head.startsWith('HTTP/1.1 200') ? '200' : `${head.slice(9, 12)} ${(await client.ended()).toString().split('\r\n\r\n')[1]}`;
  };
  expect(await says('-country-us-city-new_york')).toBe('200');
  expect(await says('-country-us-state-ny')).toBe('200');
  expect(await says('-country-uk')).toBe('200');
  expect(await says('-country-us-city-marfaa')).toMatch(/^400 .*There is no exit in the city marfaa of us\. Near are marfa/);
  expect(await says('-country-us-state-texass')).toMatch(/^400 .*Near are texas/);
  expect(await says('-country-us-city-miami')).toMatch(/^503/);
  expect(await says('-country-fr')).toMatch(/^503/);
});
