// A receiver of webhooks on this machine, for whoever writes one: a webhook is made for it, and removed when it ends.
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressRefusal, WebhookForged, verifyWebhook } from '../../client/index.ts';
import type { Command, Context } from '../command.ts';
import { EVERY } from '../every.ts';
import { eventLine, watchEvents } from './events.ts';

const BODY_LIMIT = 1_048_576;

export const LISTEN_COMMANDS: readonly Command[] = [
  {
    name: 'webhooks listen',
    options: {
      port: { value: 'NUMBER', says: 'the port of 127.0.0.1 to listen on; else a free one' },
      'public-url': { value: 'URL', says: 'where a tunnel of yours reaches that port; else the platform has to reach 127.0.0.1' },
      types: { value: 'A,B', says: 'only these types of events' },
      ...EVERY,
    },
    endless: true,
    says: 'prints events as they are sent, with their signatures checked, until Ctrl-C; where the platform cannot send here, it asks for them',
    async run(context) {
      const { client, given, terminal } = context;
      const receiver = createServer();
      await new Promise<void>((resolve, reject) => {
        receiver.once('error', reject).listen(given.number('port') ?? 0, '127.0.0.1', resolve);
      });
      const url = given.text('public-url') ?? `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      try {
        const made = await client
          .createWebhook({ url, description: 'egress webhooks listen', event_types: given.list('types') ?? [] }, terminal)
          .catch((error: unknown) => (isUnreachable(error) ? undefined : Promise.reject(error)));
        if (made) await receive(context, receiver, made.webhook.webhook_id, made.secret, url);
        else await poll(context, url);
      } finally {
        receiver.closeAllConnections();
        receiver.close();
      }
    },
  },
];

/** The platform sends to public hosts over https alone, unless its operator allows others. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof EgressRefusal && error.code === 'parameter_invalid' && error.meta.field === 'url';

async function receive(context: Context, receiver: Server, webhookId: string, secret: string, url: string): Promise<void> {
  const { client, terminal } = context;
  const failed = new Promise<never>((_resolve, reject) => void receiver.once('error', reject));
  receiver.on('request', (request, response) => {
    void take(context, request, secret).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  terminal.err(`Events are sent to ${url} (${webhookId}). Ctrl-C ends it, and removes the webhook.\n`);
  try {
    await Promise.race([untilAborted(terminal.signal), failed]);
  } finally {
    // Without the signal, which is aborted by now.
    await client.removeWebhook({ webhook_id: webhookId });
  }
}

/** Prints what a request brings; resolves to the status that it is answered with. */
async function take({ answerOne, terminal }: Context, request: IncomingMessage, secret: string): Promise<number> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_LIMIT) return 413;
    parts.push(part);
  }
  try {
    const event = await verifyWebhook(secret, { headers: request.headers, body: Buffer.concat(parts).toString() });
    answerOne({ event_id: request.headers['webhook-id'], ...event }, eventLine(event));
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookForged)) throw error;
    terminal.err(`egress: a request was not believed: ${error.message}\n`);
    return 400;
  }
}

async function poll(context: Context, url: string): Promise<void> {
  const { client, terminal, given } = context;
  terminal.err(`The platform does not send to ${url}: it is asked for events instead. --public-url names a tunnel.\n`);
  const { webhooks } = await client.listWebhooks({}, terminal);
  if (webhooks.length === 0)
    terminal.err('The account has no webhook, and without one no events are kept: `egress webhooks create URL` makes one.\n');
  await watchEvents(context, given.list('types'));
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
