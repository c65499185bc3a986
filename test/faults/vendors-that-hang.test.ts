// Vendors that never answer a call, or stop in the middle of an answer: the caller gets an error in time, and then a circuit breaker opens.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE, after } from '#platform/clock.ts';
import { type AccountsWorld, failureOf, startAccounts } from '../subgraphs/accounts/world.ts';
import { startMetal } from '../subgraphs/compute/metal-world.ts';
import { type Stall, stall } from '../../sandbox/stall.ts';
import { processorOf, savedMeansOf } from '../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';

/** Enough for an answer on this machine, and short enough for tests without one. */
const TIMEOUT_MS = 300;
const STALLS: Stall[] = ['silent', 'half'];

describe('of accounts', () => {
  let world: AccountsWorld;
  beforeAll(async () => {
    world = await startAccounts({}, { timeoutMs: TIMEOUT_MS });
  });
  afterAll(() => world.close());
  afterEach(() => {
    for (const url of [...Object.values(world.sandbox.urls)]) stall(url, undefined);
    // Long enough for every circuit breaker to allow a call again.
    world.clock.advance(MINUTE);
  });
  const providers = () => world.context().providers;
  const checkout = () => ({
    orderId: 'ord_hangs',
    attempt: 0,
    email: undefined,
    language: 'en' as const,
    title: 'x',
    lines: [],
    amountMinor: 100,
    currency: 'USD',
    expiresAt: after(world.clock.now(), 60 * MINUTE),
    successUrl: 'http://localhost/',
    cancelUrl: 'http://localhost/',
    placedAt: new Date(),
    customerId: undefined,
  });

  const CALLS: [name: 'card' | 'crypto' | 'chat' | 'smtp' | 'vies', call: () => Promise<unknown>][] = [
    ['card', () => savedMeansOf(providers(), 'CARD').customer({ accountId: 'acct_hangs', email: undefined })],
    ['crypto', () => processorOf(providers(), 'CRYPTO').begin(checkout())],
    ['chat', async () => providers().chat?.personOf('a code', 'a verifier'.repeat(5))],
    ['vies', async () => providers().vatRegister?.check({ prefix: 'FR', number: '12345678100' })],
    ['smtp', () => providers().mailer.send('a@example.com', { subject: 's', text: 't', html: 'h' }, 'key')],
  ];
  describe.each(CALLS)('%s', (name, call) => {
    test.each(STALLS)('that is %s is unavailable, then not called, and called again after a while', async (how) => {
      expect(await failureOf(call())).toBeUndefined();
      stall(world.sandbox.urls[name], how);
      // Five failures in a row open the circuit breaker.
      for (let count = 0; count < 5; count++) expect(await failureOf(call())).toBe('vendor_unavailable');
      const { vendorCalls } = world.platform.metrics;
      const notAsked = async () =>
        (await vendorCalls.get()).values
          .filter(({ labels }) => labels['outcome'] === 'not_asked')
          .reduce((sum, { value }) => sum + value, 0);
      const before = await notAsked();
      const refusal = (await call().catch((error: unknown) => error)) as { code: string; meta: { retry_after_seconds: number } };
      expect([refusal.code, refusal.meta.retry_after_seconds, (await notAsked()) - before]).toEqual(['vendor_unavailable', 10, 1]);
      stall(world.sandbox.urls[name], undefined);
      world.clock.advance(10_000);
      expect(await failureOf(call())).toBeUndefined();
    });
  });

  test('a mail server that hangs does not delay other jobs', async () => {
    const { viewer } = await world.account('patient@example.com');
    stall(world.sandbox.urls.smtp, 'silent');
    await world.ask(viewer, 'mutation { accountRecover(email: "patient@example.com") { email } }');
    stall(world.sandbox.urls.smtp, undefined);
    await world.sandbox.mail.waitFor({ to: 'patient@example.com' });
  });
});

describe('of dedicated servers', () => {
  let world: Awaited<ReturnType<typeof startMetal>>;
  beforeAll(async () => {
    world = await startMetal();
  });
  afterAll(() => world.close());

  test.each(STALLS)('that are %s are reported one by one, and not called after five failures', async (how) => {
    const { reverseDns, border, metal } = world.context().providers;
    const controller = { url: world.controllers.url, system: '1', username: 'nobody', password: 'x' };
    const calls: [string, string, () => Promise<unknown>][] = [
      ['names', world.nameServer.url, async () => reverseDns?.set('127.80.0.10', 'a.example')],
      [
        'router',
        world.router.url,
        async () => border?.setFirewall({ id: 'srv_1', place: 1, ip: '127.81.0.1' }, { enabled: true, rules: [] }),
      ],
      ['controllers', world.controllers.url, async () => metal?.bareMetal.serialConsole(controller)],
    ];
    for (const [vendor, url, call] of calls) {
      stall(url, how);
      const said = async () => String(await call().catch((error: unknown) => error));
      for (let count = 0; count < 5; count++) expect(await said()).toMatch(/Trouble/);
      expect(await said()).toMatch(`${vendor} has not answered lately and is not asked`);
      stall(url, undefined);
      world.clock.advance(MINUTE);
      expect(await said()).not.toMatch(/lately|Timeout/);
    }
  });
});
