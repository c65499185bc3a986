import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startReceiver } from '../../sandbox/receiver.ts';
import type { Receiver } from '../../sandbox/receiver.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { clientOf, createWorld, premiumCheckout, SECRETS } from './world.ts';

let dataDir: string;
let receiver: Receiver;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await receiver.close();
  await rm(dataDir, { recursive: true });
});

test('it refuses to start in production', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  await expect(startSandbox({ egressUrl: receiver.url, ...SECRETS })).rejects.toThrow(/NODE_ENV=production/);
});

test('a taken port is reported in a sentence, and nothing is left running', async () => {
  const first = await startSandbox({ egressUrl: receiver.url, ...SECRETS });
  const mail = Number(new URL(first.urls.mail).port);
  await expect(startSandbox({ egressUrl: receiver.url, ...SECRETS, ports: { mail } })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${mail} (EADDRINUSE)`,
  );
  await first.close();
});

test('a damaged state is reported in a sentence', async () => {
  const sandbox = await startSandbox({ egressUrl: receiver.url, ...SECRETS, dataDir });
  await sandbox.close();
  await writeFile(join(dataDir, 'sandbox', 'mail.json'), '{"messages":[');
  await expect(startSandbox({ egressUrl: receiver.url, ...SECRETS, dataDir })).rejects.toThrow(/mail\.json is not the sandbox's JSON/);
});

test('only its owner can read the files of the vendors’ state', async () => {
  const sandbox = await startSandbox({ egressUrl: receiver.url, ...SECRETS, dataDir });
  await clientOf(sandbox).customers.create({ email: 'ada@example.com' });
  await sandbox.close();
  const directory = join(dataDir, 'sandbox');
  const kept = (await readdir(directory)).filter((name) => name.endsWith('.json'));
  expect(kept).toContain('card.json');
  for (const path of [directory, ...kept.map((name) => join(directory, name))]) expect((await stat(path)).mode & 0o077).toBe(0);
});

test('a second start continues with the state of the first: checkouts, answers, mails, pending deliveries', async () => {
  const start = { egressUrl: () => receiver.url, ...SECRETS, dataDir };
  receiver.judge = () => 503;
  const first = await startSandbox(start);
  const before = clientOf(first);
  const customer = await before.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'k1' });
  const checkout = await before.checkout.sessions.create(premiumCheckout({ customer: customer.id }));
  const smtp = new URL(first.urls.smtp);
  const sender = nodemailer.createTransport({ host: smtp.hostname, port: Number(smtp.port) });
  await sender.sendMail({ from: 'hello@egress.test', to: 'ada@example.com', subject: 'Welcome', text: 'Hello' });
  sender.close();
  const reported = first.network.report({ username: 'u1', upBytes: 1, downBytes: 2 });
  // Attach the handler before closing, so that the rejection never counts as unhandled.
  // oxlint-disable-next-line vitest/valid-expect
  const closed = expect(reported).rejects.toThrow(/closed/);
  await first.close();
  await closed;

  receiver.judge = null;
  receiver.received.length = 0;
  const second = await startSandbox(start);
  const after = clientOf(second);
  await Promise.all([second.card.deliver(), second.network.deliver()]);
  expect(receiver.received.map((one) => one.path).toSorted()).toEqual(['/usage-reports', '/webhooks/card']);
  expect((await after.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'k1' })).id).toBe(customer.id);
  expect(second.card.payCheckout(checkout.id)).toMatchObject({ outcome: 'paid' });
  expect(await after.checkout.sessions.retrieve(checkout.id)).toMatchObject({ payment_status: 'paid', customer: customer.id });
  expect(second.mail.messages('ada@example.com')).toMatchObject([{ subject: 'Welcome' }]);
  await second.close();
});

test('a mail that never comes is reported when the mail box closes', async () => {
  const world = await createWorld();
  // oxlint-disable-next-line vitest/valid-expect -- awaited below, when the world is closed
  const missing = expect(world.sandbox.mail.waitFor({ to: 'nobody@example.com' })).rejects.toThrow('No mail to nobody@example.com');
  await world.close();
  await missing;
});

test('each vendor has a page that links the others', async () => {
  const world = await createWorld();
  const { card, mail, network } = world.sandbox.urls;
  for (const url of [card, mail, network]) {
    const html = await (await fetch(url)).text();
    for (const other of [card, mail, network]) expect(html).toContain(`href="${other}/"`);
    expect(html).toContain('name="viewport"');
  }
  await world.close();
});
