// A push service (RFC 8030) with the manners of the two that most browsers use.
// Mozilla's: https://github.com/mozilla-services/autopush-rs, docs/src/errors.md, autoendpoint/src/error.rs (status and errno), extractors/notification_headers.rs
// (TTL, topic, encoding) and extractors/subscription.rs (the token and its audience).
// Google's, as senders report it: https://github.com/web-push-libs/web-push/issues/328 and
// https://pushpad.xyz/blog/web-push-errors-explained-with-http-status-codes/ (403 for another sender's key, text instead of JSON, 410); at most four weeks of TTL
// (https://firebase.google.com/docs/cloud-messaging/concept-options#ttl). Where the two differ, the path decides.
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Clock } from '#platform/clock.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openBrowser } from './browsers.ts';
import type { KnownBrowser, SandboxBrowser } from './browsers.ts';
import { checkVapid } from './vapid.ts';

export type PushVendor = 'mozilla' | 'google';

/** An answer that the next request gets instead of its own. */
export interface PushFault {
  status: ContentfulStatusCode;
  /** The value of Retry-After. */
  retryAfter?: string;
}

export interface SandboxPushService {
  readonly url: string;
  /** Used up one by one. */
  readonly faults: PushFault[];
  /** The limit of a body; RFC 8030, 7.2 promises 4,096 bytes, and Mozilla's service takes them as it counts. */
  maxBytes: number;
  /** How many messages were posted, refused ones too. */
  requests(): number;
  /** `senderKey`: `applicationServerKey`, in base64url. */
  subscribe(senderKey: string, vendor?: PushVendor): SandboxBrowser;
  close(): Promise<void>;
}

const MAX_BYTES = 4_096;
/** Google's service refuses a longer life; Mozilla's shortens it to 60 days. */
const GOOGLE_TTL_SECONDS = 2_419_200;
const PATHS: Readonly<Record<PushVendor, string>> = { mozilla: '/wpush/v2/', google: '/fcm/send/' };
const TOPIC = /^[0-9A-Za-z\-_]{1,32}$/;

interface Refusal {
  status: ContentfulStatusCode;
  errno: number;
  message: string;
}

const refusal = (status: ContentfulStatusCode, errno: number, message: string): Refusal => ({ status, errno, message });

/** Why the service does not take a message; undefined: it does. */
function judge(c: Context, body: Buffer, browser: KnownBrowser | undefined, vendor: PushVendor, origin: string, max: number) {
  const isGoogle = vendor === 'google';
  if (!browser) return refusal(404, 102, 'Invalid token');
  const vapid = checkVapid(c.req.header('authorization'), origin);
  if (vapid.wrong !== undefined) return refusal(isGoogle ? 403 : 401, 109, vapid.wrong);
  if (vapid.key !== browser.senderKey)
    return isGoogle
      ? refusal(
          403,
          109,
          'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.',
        )
      : refusal(401, 109, 'VAPID public key mismatch');
  if (browser.isGone()) return refusal(410, 106, isGoogle ? 'push subscription has unsubscribed or expired.' : 'No such subscription');
  const ttl = c.req.header('ttl');
  if (ttl === undefined || !/^-?\d+$/.test(ttl)) return refusal(400, 111, 'Missing TTL value');
  if (Number(ttl) < 0 || (isGoogle && Number(ttl) > GOOGLE_TTL_SECONDS)) return refusal(400, 112, 'Invalid TTL value');
  const topic = c.req.header('topic');
  if (topic !== undefined && !TOPIC.test(topic)) return refusal(400, 113, 'Topic must be URL and Filename safe Base64 alphabet');
  if (body.length > max) return refusal(413, 104, 'Data payload too large');
  if (body.length > 0 && c.req.header('content-encoding') !== 'aes128gcm') return refusal(400, 110, 'Unknown Content-Encoding header');
  return undefined;
}

export async function startPushService(options: {
  host: string;
  port: number;
  clock: Clock;
  vendors: () => VendorUrls;
}): Promise<SandboxPushService> {
  const browsers = new Map<string, SandboxBrowser & KnownBrowser>();
  const faults: PushFault[] = [];
  let requests = 0;
  const app = new Hono<NodeBindings>();
  const service: Omit<SandboxPushService, 'url' | 'close'> = {
    faults,
    maxBytes: MAX_BYTES,
    requests: () => requests,
    subscribe(senderKey, vendor = 'mozilla') {
      const path = `${PATHS[vendor]}${randomBytes(48).toString('base64url')}`;
      const browser = openBrowser(`${listener.url}${path}`, senderKey, options.clock);
      browsers.set(path, browser);
      return browser;
    },
  };

  for (const vendor of ['mozilla', 'google'] as const)
    app.post(`${PATHS[vendor]}:token`, async (c) => {
      requests += 1;
      const body = Buffer.from(await c.req.arrayBuffer());
      const browser = browsers.get(c.req.path);
      const fault = faults.shift();
      const refused = fault
        ? refusal(fault.status, fault.status === 503 ? 201 : 999, 'A fault on demand')
        : judge(c, body, browser, vendor, listener.url, service.maxBytes);
      if (refused) {
        // Mozilla's service asks for two minutes wherever it is away for a while.
        const retryAfter = fault?.retryAfter ?? (fault && vendor === 'mozilla' && fault.status === 503 ? '120' : undefined);
        const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
        if (vendor === 'google') return c.text(`${refused.message}\n`, refused.status, headers);
        return c.json({ code: refused.status, errno: refused.errno, message: refused.message }, refused.status, headers);
      }
      const ttl = c.req.header('ttl') ?? '0';
      const told = { urgency: c.req.header('urgency') ?? 'normal', topic: c.req.header('topic') ?? null, ttl: Number(ttl) };
      if (body.length > 0) browser?.take({ body, ...told });
      return c.body(null, 201, { location: `${listener.url}/m/${randomBytes(16).toString('hex')}`, ttl });
    });
  // For a person who tries the platform by hand: a browser that nobody sees.
  app.post('/subscriptions', async (c) => {
    const { applicationServerKey = '' } = (await c.req.json().catch(() => ({}))) as { applicationServerKey?: string };
    return c.json(service.subscribe(applicationServerKey).subscription, 201);
  });
  app.get('/', (c) => {
    const rows = [...browsers].flatMap(([path, { messages }]) =>
      messages.map(({ text, urgency, ttl }) => [path.slice(0, 24), text, urgency, ttl]),
    );
    const body = html`${table({ columns: ['Browser', 'Message', 'Urgency', 'Seconds'], rows })} ${vendorLinks(options.vendors())}`;
    return c.html(page({ vendor: 'Sandbox push service', title: 'Messages', body }), 200, pageHeaders);
  });
  const listener = await listen(app, options.host, options.port);
  return Object.assign(service, { url: listener.url, close: listener.close });
}
