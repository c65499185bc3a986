import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckMode } from '#platform/vendor-check.ts';
import { checkVendors } from '../../../../subgraphs/accounts/support/services/vendor-checks.ts';
import { createMailDomain } from '../../../../subgraphs/accounts/mail/providers/mail-domain.ts';
import { type AccountsWorld, startAccounts } from '../world.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const look = (mode: CheckMode = 'check') => checkVendors(world.context(), mode);
const wrong = async () => (await look()).filter(({ ok }) => !ok);
const card = (path: string, body: Record<string, string>, method = 'POST') =>
  fetch(`${world.sandbox.urls.card}/v1/webhook_endpoints${path}`, {
    method,
    headers: { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' && { body: new URLSearchParams(body) }),
  });

test('each vendor says of its key, its webhook and the events of that whether they are as needed', async () => {
  const found = await look();
  expect(found.filter(({ vendor, what }) => vendor === 'card' && what === 'key')).toMatchObject([{ ok: true }]);
  expect(found.map(({ vendor }) => vendor)).toEqual(expect.arrayContaining(['card', 'crypto', 'mail']));
});

test('an endpoint that lacks events, is switched off or goes elsewhere is named, and set up by the command', async () => {
  const id = 'we_1SandboxEndpointOfEgress';
  const url = `${world.context().providers.publicUrl}/webhooks/card`;
  await card(`/${id}`, { url, 'enabled_events[0]': 'checkout.session.completed' });
  const [events] = (await wrong()).filter(({ vendor, what }) => vendor === 'card' && what === 'events');
  expect(events?.words).toContain('charge.dispute.created');
  const done = await look('setUp');
  expect(done.filter(({ vendor }) => vendor === 'card')).toMatchObject([{ ok: true }]);
  expect((await wrong()).filter(({ vendor }) => vendor === 'card')).toEqual([]);
  await card(`/${id}`, { url: 'https://elsewhere.example/hook' });
  expect((await wrong()).filter(({ vendor }) => vendor === 'card')).toMatchObject([{ what: 'webhook', words: `none goes to ${url}` }]);
  const [made] = (await look('setUp')).filter(({ vendor }) => vendor === 'card');
  expect(made?.words).toMatch(/STRIPE_WEBHOOK_SECRETS: whsec_/);
});

test('a key that the processor refuses is a finding, and not an error of ours', async () => {
  world.sandbox.card.faults.api.next.push({ fault: 'error_before_effect' }, { fault: 'error_before_effect' });
  expect((await wrong()).filter(({ vendor }) => vendor === 'card')).toMatchObject([{ what: 'key' }]);
});

test('the register of VAT ids says whether it answers, and of which member states not', async () => {
  const found = async () => (await look()).filter(({ vendor }) => vendor === 'vies');
  expect(await found()).toMatchObject([{ what: 'register', ok: true, words: expect.stringMatching(/^answers at .*rest-api$/) }]);
  world.sandbox.vies.away.add('DE');
  expect(await found()).toMatchObject([{ ok: true, words: expect.stringContaining('not of DE') }]);
  world.sandbox.vies.away.clear();
});

const SAID: Record<string, string[][]> = {
  'good.example': [['v=spf1 include:_spf.mail.example -all'], ['a word of something else']],
  's1._domainkey.good.example': [['v=DKIM1; k=rsa; ', 'p=MIIB']],
  '_dmarc.good.example': [['v=DMARC1; p=quarantine']],
  'open.example': [['v=spf1 +all']],
  'twice.example': [['v=spf1 -all'], ['v=spf1 a -all']],
};
const resolver = {
  resolveTxt: async (name: string) =>
    SAID[name] ?? Promise.reject(Object.assign(new Error(`queryTxt ENOTFOUND ${name}`), { code: 'ENOTFOUND' })),
};

test.each([
  ['good.example', 's1', [true, true, true]],
  ['good.example', 's2', [true, false, true]],
  ['good.example', undefined, [true, true]],
  ['open.example', undefined, [false, false]],
  ['twice.example', undefined, [false, false]],
  ['unknown.example', undefined, [false, false]],
])('what %s with the selector %s says of its mails is judged', async (domain, selector, ok) => {
  const found = await createMailDomain(resolver, { from: `Egress <no-reply@${domain}>`, selector }).check();
  expect(found.map((finding) => finding.ok)).toEqual(ok);
});

test('a resolver that does not answer is a finding of its own, and nothing about the domain', async () => {
  const silent = { resolveTxt: () => Promise.reject(Object.assign(new Error('queryTxt ETIMEOUT'), { code: 'ETIMEOUT' })) };
  await expect(createMailDomain(silent, { from: 'a@b.example', selector: undefined }).check()).rejects.toThrow('ETIMEOUT');
});
