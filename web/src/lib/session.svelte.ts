// Sign-in and sign-out are HTTP requests outside of the graph, which set and clear the HttpOnly cookie.
import { PAGE_PATH } from '../../../schema/limits.ts';
import { t } from './text/index.ts';
import { type Refusable, codeText, reasonText, refusalsLoaded } from './text/refusals.svelte.ts';
import type { Failure } from './failure.ts';
import { showPasskey } from './passkey.ts';
import { forget } from './recent.ts';

export { withNext } from '../../../schema/limits.ts';

type AuthBody = Refusable & { code?: string; message?: string; requestId?: string; retryAfterSeconds?: number; field?: string };
type Answer<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure };

const post = <Data>(path: string, body: object): Promise<Answer<Data>> => ask<Data>('POST', path, body);

/** A request beside the graph, with the session's cookie. */
export async function ask<Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<Data>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch {
    return { failure: { code: 'network', message: t.errors.network } };
  }
  if (response.ok) return { data: (await response.json()) as Data };
  const {
    code = 'internal',
    message,
    requestId,
    retryAfterSeconds,
    field,
    reasonCode,
    params,
  }: AuthBody = await response.json().catch(() => ({}));
  await refusalsLoaded();
  const sentence = reasonText({ reasonCode, params }) ?? codeText(code) ?? message ?? t.errors.unexpected;
  return { failure: { code, message: sentence, requestId, retryAfterSeconds, field } };
}

export type SecondFactor = 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY';
/** Either signed in, or the second factors that are still needed. */
export type Entry = { accountId: string; secondFactors?: undefined } | { accountId?: undefined; secondFactors: SecondFactor[] };

export interface SignUpInput {
  email: string;
  password: string;
  accepts: readonly { kind: string; version: number }[];
  /** The page that the reader is on the way to. */
  next: string | null;
}

/** Begins a sign-up; in this browser the link in the mail then signs in by itself. */
export const signUp = (input: SignUpInput) => post<{ email: string }>('/auth/sign-up', input);

/** Signed in by the link that this browser has opened; or, in a browser that has not signed up, the address whose password is still needed. */
export type Confirmation = { next: string | null } & ({ accountId: string; email?: undefined } | { accountId?: undefined; email: string });

export const confirmSignUp = () => post<Confirmation>('/auth/confirm', {});

export const signIn = (email: string, password: string) => post<Entry>('/auth/sign-in', { email, password });

export const confirmSignIn = (method: 'TOTP' | 'RECOVERY_CODE', code: string) => post<Entry>('/auth/second-factor', { method, code });

/** Signs in with a passkey, alone or as the second factor. */
export async function signInByPasskey(): Promise<Answer<Entry>> {
  const started = await post<{ options: object }>('/auth/passkey/start', {});
  if (started.failure) return started;
  const response = await showPasskey(started.data.options);
  if (response === undefined) return { failure: { code: 'passkey_refused', message: t.errors.passkeyRefused } };
  return post<Entry>('/auth/passkey/finish', { response: JSON.parse(response) as object });
}

/** Stores the token of a mailed link as a cookie for the next sign-in. Failures are ignored: without the cookie the sign-in still works, unless others keep trying passwords. */
export const rememberLink = (token: string): Promise<unknown> =>
  fetch(`/auth/device?token=${encodeURIComponent(token)}`, { credentials: 'same-origin', redirect: 'manual' }).catch(() => undefined);

/** Opens the chat platform, to sign in and go on to `next`, or to link the account; it returns to that page or to the settings. */
export async function goToChat(purpose: { next: string | null } | { password: string | undefined }): Promise<Failure | undefined> {
  const body = 'next' in purpose ? purpose : { link: true, password: purpose.password };
  const { data, failure } = await post<{ url: string }>('/auth/chat/start', body);
  if (data) location.assign(data.url);
  return failure;
}

/** Ends the subscription of this browser; here, as every page has this file, and few people push. */
export async function endPush(): Promise<unknown> {
  return (await (await navigator.serviceWorker?.getRegistration('/'))?.pushManager?.getSubscription())?.unsubscribe();
}

/** Ends the session and loads the sign-in page completely, so that no data of the account stays in memory. */
export async function signOut(): Promise<Failure | undefined> {
  const { failure } = await post('/auth/sign-out', {});
  if (!failure) {
    forget();
    // The next person at this browser is shown nothing.
    await endPush().catch(() => undefined);
    location.assign('/sign-in');
  }
  return failure;
}

/** Opens a customer's account as its owner sees it, with a full load, so that no data of the support desk stays in memory. */
export async function impersonate(accountId: string, reason: string): Promise<Failure | undefined> {
  const { failure } = await post('/auth/impersonate', { accountId, reason });
  if (!failure) location.assign('/home');
  return failure;
}

/** Ends the impersonation and opens the account's page at the support desk. */
export async function endImpersonation(accountId: string): Promise<void> {
  const { failure } = await post('/auth/impersonate-end', {});
  if (!failure) location.assign(`/support/accounts/${accountId}`);
}

/** Pages that need no session: a reader who is signed out stays on them. */
const publicPaths = new Set(['/', '/sign-in', '/sign-up', '/check-your-mail', '/verify', '/recover', '/set-up']);

/** Opens the sign-in page with a full load; the reader returns to this page afterwards. */
export function toSignIn(): void {
  if (publicPaths.has(location.pathname)) return;
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** The page after the sign-in: only a path on this site is accepted. */
export const safeNext = (next: string | null): string => (next && PAGE_PATH.test(next) ? next : '/home');
