import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReceiverRules, createReceivers } from '../../../../../subgraphs/accounts/webhooks/providers/receivers.ts';
import { type Receiver, startReceiver } from '../receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const to = (url: string, rules: Partial<ReceiverRules> = {}) =>
  createReceivers({ privateNetworks: [], forbiddenNetworks: [], brand: 'Egress', timeoutMs: 500, ...rules }).deliver({
    url,
    headers: {},
    body: '{"type":"webhook.test","data":{}}',
  });

const named = (...addresses: string[]) => ({ resolve: () => Promise.resolve(addresses) });

// Addresses that a host name may hide: loopback, private networks, a cloud's metadata service in each spelling, and one bad address among good ones.
test.each([
  ['https://127.0.0.1/', {}],
  ['https://2130706433/', {}],
  ['https://0x7f.1/', {}],
  ['https://[::1]/', {}],
  ['https://[::ffff:169.254.169.254]/', {}],
  ['https://[fd00:ec2::254]/', {}],
  ['https://169.254.169.254/latest/meta-data/', {}],
  ['https://168.63.129.16/', {}],
  ['https://10.1.2.3/', {}],
  ['https://100.100.100.200/', {}],
  ['https://[64:ff9b::7f00:1]/', {}],
  ['https://hooks.example/', named('93.184.216.34', '10.0.0.1')],
  ['https://hooks.example/', named('0.0.0.0')],
  ['https://hooks.example/', { ...named('93.184.216.34'), forbiddenNetworks: ['93.184.216.0/24'] }],
  ['https://hooks.example:25/', named('93.184.216.34')],
  ['https://hooks.example:6379/', named('93.184.216.34')],
  ['http://hooks.example/', named('93.184.216.34')],
])('nothing is sent to %s (%j)', async (url, rules) => {
  expect(await to(url, rules)).toMatchObject({ outcome: 'FORBIDDEN', status: null });
});

test('a name is resolved once, and the address that was judged is the one that is dialled', async () => {
  let asked = 0;
  const resolve = () => Promise.resolve(asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
  const rules = { privateNetworks: ['127.0.0.1/32'], resolve };
  expect(await to(`http://rebinding.example:${receiver.port}/`, rules)).toMatchObject({ outcome: 'DELIVERED', status: 204 });
  expect(asked).toBe(1);
  expect(receiver.requests.at(-1)?.headers.host).toBe(`rebinding.example:${receiver.port}`);
});

test('a receiver, or its name server, that says nothing costs so long and no longer', async () => {
  receiver.behave(() => 'stall');
  const rules = { privateNetworks: ['127.0.0.0/8'] };
  expect(await to(receiver.url, rules)).toMatchObject({ outcome: 'NO_ANSWER', said: 'No answer within 0.5 s.' });
  const never = { resolve: () => new Promise<string[]>(() => {}) };
  expect(await to('https://hooks.example/', never)).toMatchObject({ outcome: 'NO_ANSWER', said: 'No answer within 0.5 s.' });
  expect(await to('https://hooks.example/', named())).toMatchObject({ outcome: 'NO_ANSWER', said: 'The name has no address.' });
});
