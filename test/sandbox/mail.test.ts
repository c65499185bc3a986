import nodemailer from 'nodemailer';
import type { Transporter } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
let sender: Transporter;
beforeAll(async () => {
  world = await createWorld();
  const { hostname, port } = new URL(world.sandbox.urls.smtp);
  sender = nodemailer.createTransport({ host: hostname, port: Number(port), secure: false });
});
afterAll(async () => {
  sender.close();
  await world.close();
});

const LINK = 'http://127.0.0.1:4000/verify?token=abc&next=%2Fplans';
const send = (to: string, subject: string, more: object = {}): Promise<unknown> =>
  sender.sendMail({
    from: 'Egress <hello@egress.test>',
    to,
    subject,
    text: `Welcome, Zoë.\nConfirm your address: ${LINK}.`,
    html: `<p>Welcome</p><a class="x" href="${LINK.replace('&', '&amp;')}">Confirm</a><script>top.location='http://evil.test'</script>`,
    ...more,
  });
const get = async (path: string): Promise<{ status: number; text: string; headers: Headers }> => {
  const answer = await fetch(`${world.sandbox.urls.mail}${path}`);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

test('a mail is received, parsed, and found by its recipient', async () => {
  const coming = world.sandbox.mail.waitFor({ to: 'Zoe@example.com', subject: /confirm/i });
  await send('zoe@example.com', 'Welcome');
  await send('zoe@example.com', 'Confirm your address ✔');
  const mail = await coming;
  expect(mail).toMatchObject({ from: 'hello@egress.test', to: ['zoe@example.com'], subject: 'Confirm your address ✔', links: [LINK] });
  expect(mail.text).toContain('Welcome, Zoë.');
  expect(mail.receivedAt).toBe(world.clock.now().toISOString());
  expect(await world.sandbox.mail.waitFor({ to: 'zoe@example.com', subject: 'Welcome' })).toMatchObject({ subject: 'Welcome' });
});

test('waitFor can wait for the mail after one that is known', async () => {
  await send('later@example.com', 'Reset');
  const first = await world.sandbox.mail.waitFor({ to: 'later@example.com' });
  const second = world.sandbox.mail.waitFor({ to: 'later@example.com', after: first.id });
  await send('later@example.com', 'Reset');
  expect((await second).id).not.toBe(first.id);
});

test('the JSON API lists by recipient, shows one, and deletes all', async () => {
  await send('json@example.com', 'For JSON');
  const { messages } = JSON.parse((await get('/messages?to=json@example.com')).text) as { messages: { id: string; subject: string }[] };
  expect(messages.map((message) => message.subject)).toEqual(['For JSON']);
  expect(JSON.parse((await get(`/messages/${messages[0]?.id}`)).text)).toMatchObject({ subject: 'For JSON' });
  expect((await get('/messages/none')).status).toBe(404);
  expect((await fetch(`${world.sandbox.urls.mail}/messages`, { method: 'DELETE' })).status).toBe(204);
  expect(world.sandbox.mail.messages()).toEqual([]);
});

test('the pages show the list, the message with its link, and its source, with the HTML kept in a sandbox', async () => {
  await send('page@example.com', 'Hello <b>you</b>');
  const [message] = world.sandbox.mail.messages('page@example.com');
  const inbox = await get('/');
  expect(inbox.text).toContain(`<a href="/${message?.id}">Hello &lt;b&gt;you&lt;/b&gt;</a>`);
  const shown = await get(`/${message?.id}`);
  expect(shown.text).toContain(`<a href="${LINK.replaceAll('&', '&amp;')}" rel="noreferrer">`);
  expect(shown.text).toMatch(/sandbox="allow-popups allow-popups-to-escape-sandbox"\s+srcdoc="&lt;base/);
  expect(shown.text).not.toContain('<script>top');
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await get(`/${message?.id}/raw`)).text).toContain('Content-Type: multipart/alternative');
  expect((await get('/none')).status).toBe(404);
});

test('451 for the given number of mails, and the next attempt is accepted', async () => {
  world.sandbox.mail.faults.reject = 2;
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(send('busy@example.com', 'Busy')).rejects.toMatchObject({ responseCode: 451 });
  await send('busy@example.com', 'Busy');
  expect(world.sandbox.mail.messages('busy@example.com')).toHaveLength(1);
});

test('550 for a recipient who does not exist', async () => {
  await expect(send('bounce@example.com', 'Hello')).rejects.toMatchObject({ responseCode: 550 });
});
