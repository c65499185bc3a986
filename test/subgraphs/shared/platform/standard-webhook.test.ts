import { expect, test } from 'vitest';
import { isSignedBy, makeSecret, signatureHeaders } from '#platform/standard-webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const [id, body, at] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', new Date(1_614_265_330_000)];
const messageBy = (...secrets: string[]) => {
  const { 'webhook-timestamp': timestamp, 'webhook-signature': signature } = signatureHeaders({ id, at, body }, secrets);
  return { id, timestamp, signature, body };
};

test("a message is signed as the specification's libraries sign it", () => {
  // The vector of their tests.
  expect(messageBy(SECRET)).toMatchObject({ timestamp: '1614265330', signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' });
});

test('who knows one of the secrets has signed it, and nobody else', () => {
  const [present, next] = [makeSecret(), makeSecret()];
  const message = messageBy(present, next);
  expect([present, next, SECRET].map((secret) => isSignedBy(message, secret))).toEqual([true, true, false]);
});

test.each([
  ['another body', { body: '{"test": 2432232315}' }],
  ['another id', { id: 'msg_2' }],
  ['another time', { timestamp: '1614265331' }],
  ['no signature', { signature: '' }],
  ['an empty one', { signature: 'v1,' }],
  ['one of another version', { signature: messageBy(SECRET).signature.replace('v1,', 'v2,') }],
])('%s is not what was signed', (_what, over) => {
  expect(isSignedBy({ ...messageBy(SECRET), ...over }, SECRET)).toBe(false);
});
