// Compares the sandbox's register of VAT ids with what is known about the real REST service.
import { afterAll, expect, test } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { startVatRegister } from '../../sandbox/vies/register.ts';

const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
const register = await startVatRegister({ host: '127.0.0.1', port: 0, clock: new TestClock(), vendors: () => VENDORS });
afterAll(() => register.close());

async function ask(body: object | string, type = 'application/json') {
  const response = await fetch(`${register.url}/taxation_customs/vies/rest-api/check-vat-number`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : text };
}
const refused = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] });

test('a registered number is valid, with a consultation number if the seller gives its own', async () => {
  const question = { countryCode: 'FR', vatNumber: '12345678100' };
  expect((await ask(question)).body).toMatchObject({ valid: true, requestIdentifier: '', name: 'SANDBOX TRADER 12345678100', ...question });
  expect((await ask({ ...question, requesterMemberStateCode: 'DE', requesterNumber: '123456100' })).body).toMatchObject({
    valid: true,
    requestIdentifier: expect.stringMatching(/^WAPI/),
  });
});

test('Germany and Spain do not reveal the owner of an id', async () => {
  expect((await ask({ countryCode: 'DE', vatNumber: '123456100' })).body).toMatchObject({ valid: true, name: '---', address: '---' });
});

test.each([
  ['a number that no register knows', { countryCode: 'FR', vatNumber: '12345678901' }, 200, { valid: false, name: '---' }],
  ['the code of ISO 3166 for Greece', { countryCode: 'GR', vatNumber: '123456100' }, 400, refused('INVALID_INPUT')],
  ['a country that is no member', { countryCode: 'GB', vatNumber: '123456100' }, 400, refused('INVALID_INPUT')],
  ['no number', { countryCode: 'FR' }, 400, refused('INVALID_INPUT')],
  ['what is no JSON', '{', 400, refused('INVALID_INPUT')],
  [
    'a seller whom no register knows',
    { countryCode: 'FR', vatNumber: '12345678100', requesterMemberStateCode: 'DE', requesterNumber: '123456789' },
    400,
    refused('INVALID_REQUESTER_INFO'),
  ],
  ['a member state that does not answer', { countryCode: 'FR', vatNumber: '12345678301' }, 200, refused('MS_UNAVAILABLE')],
  ['too many questions at once', { countryCode: 'FR', vatNumber: '12345678500' }, 200, refused('GLOBAL_MAX_CONCURRENT_REQ')],
  ['a service that is down', { countryCode: 'FR', vatNumber: '12345678300' }, 500, refused('SERVICE_UNAVAILABLE')],
])('%s', async (_, question, status, body) => {
  const answer = await ask(question);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject(body);
});

test('a form instead of JSON is refused', async () => {
  expect((await ask('countryCode=FR', 'application/x-www-form-urlencoded')).status).toBe(415);
});
