// The mail box: receives mails by SMTP, shows them as pages and JSON, and provides promises for tests that expect a mail.
import { Hono } from 'hono';
import type { Clock } from '#platform/clock.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { attachmentOf, readMessage } from './message.ts';
import type { MailMessage } from './message.ts';
import { INBOX_SCRIPT, inboxPage, messagePage, noMessagePage } from './pages.ts';
import { listenSmtp, refusal } from './smtp.ts';

export interface MailFaults {
  /** How many of the next mails are refused temporarily (451). */
  reject: number;
}

export interface ExpectedMail {
  to: string;
  /** The whole subject, or a pattern for a part of it. */
  subject?: string | RegExp;
  /** Only mails received after the one with this id. */
  after?: string;
}

export interface MailBox {
  readonly url: string;
  readonly smtpUrl: string;
  readonly faults: MailFaults;
  /** The newest mail that matches, or the next one that arrives. Rejects when the mail box is closed. */
  waitFor(expected: ExpectedMail): Promise<MailMessage>;
  /** All stored mails, oldest first; with `to`, those to one recipient. */
  messages(to?: string): MailMessage[];
  close(): Promise<void>;
}

export interface MailBoxOptions {
  host: string;
  port: number;
  smtpPort: number;
  dataDir: string | undefined;
  clock: Clock;
  vendors: () => VendorUrls;
}

interface Waiting {
  expected: ExpectedMail;
  resolve: (message: MailMessage) => void;
  reject: (error: Error) => void;
}

export async function startMailBox(options: MailBoxOptions): Promise<MailBox> {
  const snapshot = await openSnapshot(options.dataDir, 'mail', { messages: [] as MailMessage[] });
  const { state } = snapshot;
  const faults: MailFaults = { reject: 0 };
  const waiting = new Set<Waiting>();

  const smtp = await listenSmtp({
    host: options.host,
    port: options.smtpPort,
    async receive(raw, recipients) {
      if (faults.reject > 0) {
        faults.reject -= 1;
        throw refusal(451, 'Try again later');
      }
      const message = await readMessage(raw, recipients, options.clock.now());
      state.messages.push(message);
      snapshot.changed();
      for (const one of waiting) {
        if (!fits(message, one.expected)) continue;
        waiting.delete(one);
        one.resolve(message);
      }
    },
  });
  const messages = (to?: string): MailMessage[] =>
    state.messages.filter((message) => to === undefined || message.to.includes(to.toLowerCase()));
  const app = createMailSite(options, messages, () => {
    state.messages = [];
    snapshot.changed();
  });
  const listener = await listen(app, options.host, options.port);

  return {
    url: listener.url,
    smtpUrl: smtp.url,
    faults,
    messages,
    waitFor(expected) {
      const from = expected.after === undefined ? 0 : state.messages.findIndex((message) => message.id === expected.after) + 1;
      const found = state.messages.slice(from).findLast((message) => fits(message, expected));
      if (found) return Promise.resolve(found);
      return new Promise((resolve, reject) => waiting.add({ expected, resolve, reject }));
    },
    async close() {
      await listener.close();
      await smtp.close();
      for (const { expected, reject } of waiting) reject(new Error(`No mail to ${expected.to} came before the mail box was closed.`));
      await snapshot.flush();
    },
  };
}

function fits(message: MailMessage, { to, subject }: ExpectedMail): boolean {
  if (!message.to.includes(to.toLowerCase())) return false;
  if (subject === undefined) return true;
  return typeof subject === 'string' ? message.subject === subject : subject.test(message.subject);
}

function createMailSite(options: MailBoxOptions, messages: (to?: string) => MailMessage[], clear: () => void): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>();
  const find = (id: string): MailMessage | undefined => messages().find((message) => message.id === id);

  app.get('/', async (c) => c.html(await inboxPage(messages().toReversed(), vendorLinks(options.vendors())), 200, pageHeaders));
  app.get('/inbox.js', (c) => c.body(INBOX_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  app.get('/messages', (c) => {
    const limit = Number(c.req.query('limit') ?? Infinity);
    return c.json({ messages: messages(c.req.query('to')).toReversed().slice(0, limit) });
  });
  app.delete('/messages', (c) => {
    clear();
    return c.body(null, 204);
  });
  app.get('/messages/:id', (c) => {
    const message = find(c.req.param('id'));
    return message ? c.json(message) : c.json({ error: 'No such message.' }, 404);
  });
  app.get('/:id', async (c) => {
    const message = find(c.req.param('id'));
    return message ? c.html(await messagePage(message), 200, pageHeaders) : c.html(await noMessagePage(), 404, pageHeaders);
  });
  app.get('/:id/attachments/:index', async (c) => {
    const message = find(c.req.param('id'));
    const index = Number(c.req.param('index'));
    const file = message?.attachments?.[index];
    const content = message && file && (await attachmentOf(message, index));
    if (!content) return c.text('No such attachment.', 404);
    const named = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
    const headers = { 'content-type': file.type, 'content-disposition': named, 'x-content-type-options': 'nosniff' };
    return c.body(new Uint8Array(content), 200, headers);
  });
  app.get('/:id/raw', (c) => {
    const message = find(c.req.param('id'));
    return message ? c.text(message.raw, 200, { 'x-content-type-options': 'nosniff' }) : c.text('No such message.', 404);
  });
  return app;
}
