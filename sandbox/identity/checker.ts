// A vendor that checks who people are. It takes the signed links of the product and says what it has decided by signed notices (docs/risk.md). As strict as real
// ones: Stripe Identity, Sumsub and Veriff sign the raw bytes with HMAC-SHA-256; Stripe repeats a notice for three days and promises no order
// (https://docs.stripe.com/webhooks, "Event ordering"); Veriff repeats while the answer is not 200 (https://devdocs.veriff.com/docs/webhooks-guide). So notices
// here are repeated, doubled, held back and forged on demand, and a link that is altered, or older than its quarter of an hour, is refused.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { notifierOf } from '../notifier.ts';
import type { Notifier, NotifierOptions } from '../notifier.ts';
import { page, pageHeaders, vendorLinks } from '../page.ts';
import { createSender, noDeliveryFaults } from '../sender.ts';
import type { DeliveryFaults, Message } from '../sender.ts';
import { openSnapshot } from '../snapshot.ts';

interface Decision {
  account: string;
  level: number;
  /** The vendor's name of the check; absent: a new one. */
  reference?: string;
  /** Absent: now. */
  decidedAt?: Date;
  expiresAt?: Date;
}

export interface IdentityChecker extends Notifier {
  readonly faults: DeliveryFaults;
  /** Decides about an account, and tells the product. Returns the check's reference. */
  decide(decision: Decision): string;
  /** Why a link is refused; undefined: it is good. */
  judge(link: string): string | undefined;
}

export interface IdentityCheckerOptions extends NotifierOptions {
  /** `whsec_` and Base64. */
  secret: string;
  noticeUrl: () => string;
}

const PARAMETERS = ['account', 'language', 'return_url', 'expires'] as const;

export async function startIdentityChecker(options: IdentityCheckerOptions): Promise<IdentityChecker> {
  const { clock, random, retry, noticeUrl } = options;
  const key = Buffer.from(options.secret.replace(/^whsec_/, ''), 'base64');
  const hmac = (text: string, bytes = key) => createHmac('sha256', bytes).update(text).digest();
  const snapshot = await openSnapshot(options.dataDir, 'identity', { underWay: {} as Record<string, Message> });
  const faults = noDeliveryFaults();
  const sender = createSender({
    clock,
    random,
    faults,
    retry,
    address: noticeUrl,
    underWay: snapshot.state.underWay,
    changed: snapshot.changed,
    sign(body, forged) {
      const id = (JSON.parse(body) as { id: string }).id;
      const timestamp = String(Math.floor(clock.now().getTime() / 1_000));
      const signature = hmac(`${id}.${timestamp}.${body}`, forged ? Buffer.from('another secret') : key).toString('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    },
  });
  const decide = ({ account, level, reference = `chk_${randomBytes(8).toString('hex')}`, decidedAt, expiresAt }: Decision): string => {
    const id = `ntc_${randomBytes(8).toString('hex')}`;
    const data = {
      account,
      reference,
      level,
      decided_at: (decidedAt ?? clock.now()).toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
    };
    void sender.send({ id, kind: 'identity.decided', body: JSON.stringify({ id, type: 'identity.decided', data }) });
    return reference;
  };
  const judge = (link: string): string | undefined => {
    const { searchParams: given } = new URL(link);
    if (PARAMETERS.some((name) => !given.get(name))) return 'The link lacks a parameter.';
    const signature = Buffer.from(given.get('signature') ?? '', 'hex');
    const expected = hmac(PARAMETERS.map((name) => `${given.get(name)}\n`).join(''));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
      return 'The link is not signed by this customer of ours.';
    return Number(given.get('expires')) * 1_000 < clock.now().getTime() ? 'The link has expired.' : undefined;
  };

  const app = new Hono<NodeBindings>();
  const shown = (title: string, body: ReturnType<typeof html>) =>
    page({ vendor: 'Sandbox identity checks', title, body: html`${body} ${vendorLinks(options.vendors())}` });
  app.get('/', (c) => c.html(shown('Checks', html`<p>A check begins at the platform, under Settings, Identity.</p>`), 200, pageHeaders));
  app.get('/start', (c) => {
    const refusal = judge(c.req.url);
    if (refusal) return c.html(shown('This link cannot be used', html`<p class="alert">${refusal}</p>`), 403, pageHeaders);
    const choice = (level: number, label: string) => html`<button name="level" value="${level}">${label}</button>`;
    const body = html`<form method="post" action="/decide?${new URL(c.req.url).searchParams.toString()}">
      ${choice(1, 'Show a passport')} ${choice(2, 'Show a passport and a face')} ${choice(0, 'Show what does not convince')}
    </form>`;
    return c.html(shown('Who are you?', body), 200, pageHeaders);
  });
  app.post('/decide', async (c) => {
    const query = new URL(c.req.url).searchParams;
    const refusal = judge(c.req.url);
    if (refusal) return c.html(shown('This link cannot be used', html`<p class="alert">${refusal}</p>`), 403, pageHeaders);
    decide({ account: query.get('account') ?? '', level: Number((await c.req.parseBody())['level'] ?? 0) });
    return c.redirect(query.get('return_url') ?? '/', 303);
  });
  const listener = await listen(app, options.host, options.port);
  return {
    ...notifierOf({ listener, sender, snapshot }),
    faults,
    decide,
    judge,
  };
}
