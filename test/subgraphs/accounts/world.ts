// The room accounts alone on a test database, with the sandbox's vendors beside it and the gateway's front, with the doors for webhooks, before it.
import type { ExecutionResult } from 'graphql';
import { type Clock, TestClock } from '#platform/clock.ts';
import { type Viewer, systemViewer } from '#platform/identity.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { type OfferTerms, priceOffer, signOffer } from '#commerce/offers.ts';
import type { StaffPermission } from '#platform/staff-permissions.ts';
import { SANDBOX_STORE } from '#platform/sandbox-terms.ts';
import { createFront } from '../../../gateway/http/front.ts';
import { createOriginPolicy } from '../../../gateway/http/origins.ts';
import { createSessionCookie } from '../../../gateway/sign-in/session-cookie.ts';
import { createSignInRoute } from '../../../gateway/sign-in/sign-in.ts';
import { inProcessSource } from '../../../gateway/graph/sources/in-process.ts';
import { createIdentityNoticesRoute } from '../../../subgraphs/accounts/billing/verifications/doors/identity-notices.ts';
import { createWebhookRoute } from '../../../subgraphs/accounts/billing/inbox/doors/webhooks.ts';
import { signatureHeadersOf } from '../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { askerOf } from '#platform/ask.ts';
import { createAccount } from '../../../subgraphs/accounts/identity/services/sign-up.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';
import { type TestPlatform, anonymous, sessionOf } from '../../kit/platform.ts';
import { openRoom } from '../../kit/room.ts';
import { type RunningSubgraph, type SubgraphDefinition, startSubgraph } from '#platform/subgraph.ts';
import { addRow, rowOf } from '../../kit/tables.ts';
import { watchLocks } from '../../kit/lock-order.ts';
import { startSandbox } from '../../../sandbox/start.ts';

export const SECRETS = {
  identitySecret: `whsec_${Buffer.from('a secret of the vendor, shared with us').toString('base64')}`,
  webhookSecret: 'whsec_test',
  cardApiKey: 'sk_test_sandbox',
  usageSecret: 'usage_test',
  cryptoApiKey: 'crypto_test',
  cryptoWebhookSecret: 'crypto_secret_test',
  paypalClientId: 'paypal_client_test',
  paypalClientSecret: 'paypal_secret_test',
  paypalWebhookId: 'PAYPALWEBHOOKTEST',
  chatClientId: 'egress',
  chatClientSecret: 'chat_secret_test',
};
export const PASSWORD = 'correct horse battery';

const LOG_IN =
  'mutation ($email: String!, $password: String!) { sessionCreate(email: $email, password: $password) { token expiresAt secondFactors account { id } } }';
const CALLER = 'query ($token: String!) { callerOfSession(token: $token) { accountId sessionId role permissions } }';

interface CallerOfSession {
  accountId: string;
  sessionId: string;
  role: string;
  permissions: StaffPermission[];
}

/** Parts of a front at which nobody is logged in. */
export const nobody = { sessionNow: () => Promise.reject(fail('session_invalid')) };

export interface AccountsOptions {
  withCrypto?: boolean;
  withPayPal?: boolean;
  /** How long vendors may take to answer. */
  timeoutMs?: number;
  /** The sellers that run on the same platform. Without them a test plays the sellers. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- providers of any shape
  sellers?: readonly SubgraphDefinition<any, any>[];
}

/** Starts the world. `withCrypto: false` and `withPayPal: false` leave that processor out. */
export async function startAccounts(
  environment: Record<string, string> = {},
  { withCrypto = true, withPayPal = true, timeoutMs, sellers: definitions = [] }: AccountsOptions = {},
) {
  // The sandbox starts before the platform, and uses the platform's clock once that exists.
  const locks = watchLocks();
  let clock: Clock = new TestClock();
  let url = '';
  const sandbox = await startSandbox({ clock: { now: () => clock.now() }, egressUrl: () => url, ...SECRETS });
  const limit = timeoutMs !== undefined && { timeoutMs };
  const vendors = {
    card: { ...limit, secretKey: SECRETS.cardApiKey, webhookSecrets: [SECRETS.webhookSecret], apiUrl: sandbox.urls.card },
    mail: { ...limit, url: sandbox.urls.smtp },
    ...(withPayPal && {
      paypal: {
        ...limit,
        url: sandbox.urls.paypal,
        clientId: SECRETS.paypalClientId,
        clientSecret: SECRETS.paypalClientSecret,
        webhookIds: [SECRETS.paypalWebhookId],
        certificateOrigins: [sandbox.urls.paypal],
      },
    }),
    identity: { url: `${sandbox.urls.identity}/start`, secret: SECRETS.identitySecret },
    vies: { ...limit, url: `${sandbox.urls.vies}/taxation_customs/vies/rest-api` },
    ...(withCrypto && {
      crypto: {
        ...limit,
        url: sandbox.urls.crypto,
        storeId: SANDBOX_STORE,
        apiKey: SECRETS.cryptoApiKey,
        webhookSecrets: [SECRETS.cryptoWebhookSecret],
      },
    }),
    chat: {
      ...limit,
      name: 'Chat',
      clientId: SECRETS.chatClientId,
      clientSecret: SECRETS.chatClientSecret,
      scopes: ['identify'],
      ...sandbox.chat.terms,
    },
  };
  const beside = async (platform: TestPlatform) => void ({ clock } = platform);
  const room = await openRoom(accounts, { environment, vendors, beside });
  const { platform, subgraph, context, query } = room;
  const sellers: RunningSubgraph[] = [];
  for (const definition of definitions) sellers.push(await startSubgraph(platform, definition as SubgraphDefinition<unknown>));
  const source = inProcessSource(subgraph, platform.log);
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    routes: [
      createWebhookRoute({ ask: askerOf(source), signatureHeadersOf }),
      createIdentityNoticesRoute({ ask: askerOf(source) }),
      createSignInRoute({
        accounts: source,
        access: nobody,
        cookie: createSessionCookie(false),
        origins: createOriginPolicy(() => url),
        clock,
      }),
    ],
    upgrades: [],
    clock,
    log: platform.log,
    metrics: platform.metrics,
    // Lets a browser choose its address by a header. Without the header it comes from this machine.
    trustProxyHops: 1,
    // A machine that runs tests often answers late.
  });
  ({ url } = await front.listen());
  let passwordHash: Promise<string> | undefined;

  return {
    ...room,
    sandbox,
    source,
    url,
    locks,
    sellers,
    /** Queries as the gateway does in one process, with its time limit. */
    ask: (viewer: Viewer, text: string, variables: Record<string, unknown> = {}): Promise<ExecutionResult> =>
      source.execute({ query: text, variables }, viewer),
    /** A browser at the sign-in doors, which keeps its cookies. `from`: its network address. */
    browser({ from }: { from?: string } = {}) {
      const jar = new Map<string, string>();
      const send = async (path: string, init: RequestInit = {}) => {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(`${url}${path}`, {
          ...init,
          redirect: 'manual',
          headers: { ...init.headers, cookie, ...(from !== undefined && { 'x-forwarded-for': from }) },
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') jar.delete(name);
          else jar.set(name, value);
        }
        return response;
      };
      return {
        jar,
        /** The session's token, once the browser has logged in. */
        token: () => jar.get('egress_session'),
        get: (path: string) => send(path),
        /** Fetches an address of the public URL from the test's front. */
        follow: (address: string) => send(address.slice(new URL(address).origin.length)),
        async post(path: string, body: object = {}) {
          const response = await send(path, {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          });
          return { status: response.status, ...((await response.json()) as Record<string, unknown>) } as Record<string, unknown> & {
            status: number;
          };
        },
      };
    },
    /** Makes a verified account whose password is PASSWORD. */
    async account(email: string, role: 'CUSTOMER' | 'STAFF' = 'CUSTOMER') {
      const ctx = context();
      passwordHash ??= ctx.providers.passwords.hash(PASSWORD);
      const id = await createAccount(ctx, { email, passwordHash: await passwordHash, role });
      return { id, email, viewer: sessionOf(id, role === 'STAFF') };
    },
    /** Adds an authenticator app to an account, whose codes nobody knows. */
    async addTotp(accountId: string): Promise<void> {
      const { created_at: at } = (await rowOf<{ created_at: Date }>(query, 'accounts.account', { id: accountId })) ?? {};
      await addRow(query, 'accounts.totp', { account_id: accountId, secret: 'x', created_at: at, confirmed_at: at });
    },
    /** Tries to log in by password, with the operation that the gateway sends. */
    tryLogIn: (email: string, password = PASSWORD, from: Viewer = visitor()) =>
      source.execute({ query: LOG_IN, variables: { email, password } }, from),
    /** Logs in by password, and returns the session and its viewer. */
    async logIn(email: string, password = PASSWORD, from: Viewer = visitor()) {
      const { token, account } = dataOf<{ token: string; account: { id: string } }>(
        await this.tryLogIn(email, password, from),
        'sessionCreate',
      );
      return { token, ...(await this.callerOf(token)), account };
    },
    /** The viewer of a session's token, as the gateway finds it. Throws if the token has none. */
    async callerOf(token: string) {
      const answer = await source.execute({ query: CALLER, variables: { token } }, systemViewer('gateway', 'req_test'));
      const { accountId, sessionId, role, permissions } = dataOf<CallerOfSession>(answer, 'callerOfSession');
      const viewer: Viewer = { ...visitor(), kind: 'session', accountId, sessionId, staff: role === 'STAFF', permissions };
      return { sessionId, viewer };
    },
    isIn: (token: string): Promise<boolean> =>
      source.execute({ query: CALLER, variables: { token } }, systemViewer('gateway', 'req_test')).then(({ errors }) => !errors),
    /** A signed offer of 5 GB of Premium, as the room residential makes it. `more` overrides its terms. */
    offer(accountId: string, more: Partial<OfferTerms> = {}) {
      const terms = priceOffer(
        {
          id: newId('off', platform.clock),
          accountId,
          seller: 'residential',
          title: 'Premium, 5 GB',
          currency: 'USD',
          lines: [{ label: 'Premium, 5 GB', quantity: 5, amountMinor: 2_500 }],
          fulfil: { product: 'PREMIUM', bytes: '5000000000' },
        },
        0,
        platform.clock,
      );
      return signOffer({ ...terms, ...more }, platform.secrets.offers);
    },
    /** Sends all queued mails, and returns those to this address. */
    async mailed(to: string) {
      await platform.queue.drain();
      return sandbox.mail.messages(to);
    },
    async close() {
      await front.close();
      for (const seller of sellers) await seller.close();
      await room.close();
      await sandbox.close();
      locks.stop();
      const inversions = locks.inversions();
      if (inversions.length > 0) throw new Error(`locks that others can wait for crosswise:\n${inversions.join('\n')}`);
    },
  };
}

export type AccountsWorld = Awaited<ReturnType<typeof startAccounts>>;

/** The code of the failure that an answer carries; undefined when it succeeded. */
export const codeOf = ({ errors }: ExecutionResult): string | undefined => errors?.[0] && String(errors[0].extensions['code']);

/** The code of the failure that a use case throws; undefined when it succeeds. */
export const failureOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Counts visitors, so that each has another address and the limits of one test do not reach the next. */
let visitors = 0;
export const visitor = (): Viewer => ({ ...anonymous, address: `203.0.113.${++visitors % 250}` });

/** The value of a field of a successful answer. Throws the errors of any other answer. */
export function dataOf<Data>({ data, errors }: ExecutionResult, field: string): Data {
  if (errors || !data) throw new Error(`not answered: ${JSON.stringify(errors)}`);
  return data[field] as Data;
}
