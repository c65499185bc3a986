// A certificate from its order to its download: RFC 8555, 7.3 and 7.4.
import { isIP } from 'node:net';
import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import type { ExternalAccount } from './account-key.ts';
import { type AcmeSession, type Answer, AcmeProblem, typeOf } from './session.ts';

const ERROR = z.object({ type: z.string().optional(), detail: z.string().optional() }).optional();
const ORDER = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: ERROR,
});
const CHALLENGE = z.object({ type: z.string(), url: z.url(), token: z.string().optional(), status: z.string(), error: ERROR });
const AUTHORIZATION = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ type: z.string(), value: z.string() }),
  challenges: z.array(CHALLENGE),
});
type Order = z.infer<typeof ORDER>;

export interface Proof {
  /** The name or address that is to be proved. */
  name: string;
  token: string;
  keyAuthorization: string;
}

/** How names are proved. */
export interface Prover {
  challenge: 'http-01' | 'tls-alpn-01';
  /** Resolves when the proofs can be looked at. Those of before are withdrawn. */
  show(proofs: readonly Proof[]): Promise<void>;
}

export interface AccountWish {
  contact?: string | undefined;
  external?: ExternalAccount | undefined;
}

/** Returns the account's URL: that of the key, or of a new account. The operator has agreed to the terms. */
export async function enterAccount(session: AcmeSession, { contact, external }: AccountWish): Promise<string> {
  const { newAccount, meta } = session.directory;
  if (meta?.externalAccountRequired && !external)
    throw new AcmeProblem('externalAccountRequired', 'the authority wants EDGE_ACME_EAB_KEY_ID and EDGE_ACME_EAB_HMAC_KEY');
  const { location } = await session.post(newAccount, {
    termsOfServiceAgreed: true,
    ...(contact !== undefined && { contact: [`mailto:${contact}`] }),
    ...(external && { externalAccountBinding: session.key.bind(external, newAccount) }),
  });
  if (location === undefined) throw new AcmeProblem('account', 'the server tells no address of the account');
  return location;
}

/** Between two looks at what the server works on; RFC 8555, 7.5.1 wants Retry-After to be followed. */
const LOOK_MS = 1.5 * SECOND;
const LONGEST_LOOK_MS = 30 * SECOND;
const LOOKS = 60;

export interface OrderWish {
  names: readonly string[];
  prover: Prover;
  /** DER of the certificate request, base64url. */
  request: string;
  /** The name of the certificate that it takes the place of; RFC 9773, 5. */
  replaces?: string | undefined;
  pause: (ms: number) => Promise<void>;
}

/** Returns the certificate with its chain, PEM. */
export async function orderCertificate(session: AcmeSession, { names, prover, request, replaces, pause }: OrderWish): Promise<string> {
  const { text, location } = await beginOrder(session, names, replaces);
  if (location === undefined) throw new AcmeProblem('order', 'the server tells no address of the order');
  const look = lookAt(session, pause);
  let order = ORDER.parse(JSON.parse(text));
  if (order.status === 'pending') {
    await prove(session, order, { prover, look });
    order = await look(location, ORDER, ({ status }) => status !== 'pending');
  }
  if (order.status === 'ready') {
    await session.post(order.finalize, { csr: request });
    order = await look(location, ORDER, ({ status }) => status === 'valid' || status === 'invalid');
  }
  if (order.status !== 'valid' || order.certificate === undefined) throw failed(order.error, 'the order became invalid');
  return (await session.post(order.certificate)).text;
}

/** An authority that does not take it as a replacement (it was replaced before, or is another account's) is asked for one more certificate. */
async function beginOrder(session: AcmeSession, names: readonly string[], replaces: string | undefined): Promise<Answer> {
  const identifiers = names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }));
  const order = (more: object) => session.post(session.directory.newOrder, { identifiers, ...more });
  if (replaces === undefined) return order({});
  try {
    return await order({ replaces });
  } catch (error) {
    if (!(error instanceof AcmeProblem) || !NO_REPLACEMENT.has(error.type)) throw error;
    return order({});
  }
}
const NO_REPLACEMENT: ReadonlySet<string> = new Set(['alreadyReplaced', 'malformed', 'unauthorized']);

type Look = <Shape>(url: string, shape: z.ZodType<Shape>, settled: (shape: Shape) => boolean) => Promise<Shape>;

/** Asks until it is settled, not more often than the server says. */
const lookAt =
  (session: AcmeSession, pause: OrderWish['pause']): Look =>
  async (url, shape, settled) => {
    for (let looks = 1; looks <= LOOKS; looks++) {
      const { text, retryAfterMs = LOOK_MS } = await session.post(url);
      const read = shape.parse(JSON.parse(text));
      if (settled(read)) return read;
      await pause(Math.min(retryAfterMs, LONGEST_LOOK_MS));
    }
    throw new AcmeProblem('slow', `${url} is not settled after ${LOOKS} looks`);
  };

/** Proves every name that the server does not take as proved from before. */
async function prove(session: AcmeSession, order: Order, { prover, look }: { prover: Prover; look: Look }): Promise<void> {
  const open: { url: string; proof: Proof; challenge: string }[] = [];
  for (const url of order.authorizations) {
    const { status, identifier, challenges } = AUTHORIZATION.parse(JSON.parse((await session.post(url)).text));
    if (status === 'valid') continue;
    const found = challenges.find(({ type }) => type === prover.challenge);
    if (found?.token === undefined)
      throw new AcmeProblem('challenge', `the authority offers no ${prover.challenge} for ${identifier.value}`);
    const proof = { name: identifier.value, token: found.token, keyAuthorization: session.key.authorize(found.token) };
    open.push({ url, proof, challenge: found.url });
  }
  await prover.show(open.map(({ proof }) => proof));
  try {
    for (const { challenge } of open) await session.post(challenge, {});
    for (const { url, proof } of open) {
      const { status, challenges } = await look(url, AUTHORIZATION, (read) => read.status !== 'pending');
      if (status !== 'valid') throw failed(challenges.find(({ error }) => error)?.error, `${proof.name} could not be proved`);
    }
  } finally {
    await prover.show([]);
  }
}

const failed = (error: z.infer<typeof ERROR>, words: string): AcmeProblem =>
  new AcmeProblem(typeOf(error?.type ?? 'invalid'), error?.detail ?? words);
