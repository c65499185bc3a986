// Log-in and log-out are plain HTTP beside the graph: they set and clear the HttpOnly cookie.
import { t } from './text/index.ts';
import type { Failure } from './failure.ts';

type AuthBody = { code?: string; message?: string; requestId?: string; retryAfterSeconds?: number };

async function post(path: string, body: object): Promise<Failure | undefined> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    return { code: 'network', message: t.errors.network };
  }
  if (response.ok) return undefined;
  const answer: AuthBody = await response.json().catch(() => ({}));
  return {
    code: answer.code ?? 'internal',
    message: answer.message ?? t.errors.unexpected,
    requestId: answer.requestId,
    retryAfterSeconds: answer.retryAfterSeconds,
  };
}

export const signIn = (email: string, password: string) => post('/auth/sign-in', { email, password });

/** Ends the session and leaves by a full load, so that nothing of the account stays in memory. */
export async function signOut(): Promise<Failure | undefined> {
  const failure = await post('/auth/sign-out', {});
  if (!failure) location.assign('/sign-in');
  return failure;
}

/** Pages that anyone may read: on them a missing log-in is no reason to leave. */
const publicPaths = new Set(['/', '/sign-in', '/sign-up', '/check-your-mail', '/verify']);

/** To the log-in page by a full load, and back here afterwards. */
export function toSignIn(): void {
  if (publicPaths.has(location.pathname)) return;
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Where to go after log-in: only a path of this site is followed. */
export function safeNext(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/home';
}
