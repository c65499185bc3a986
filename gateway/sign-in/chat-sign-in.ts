// Sign-in through the chat platform. It starts with a request of our own page, so that no other site can start it, and must end in the browser that started it: the cookie proves that.
import { Failure } from '#platform/errors.ts';
import { PAGE_PATH, withNext } from '../../schema/limits.ts';
import { sendJson } from '#platform/respond.ts';
import { NEW_SESSION, type NewSession, type Steps, type Visit, type SignInFlow, goTo } from './sign-in-flow.ts';

const START =
  'mutation chatStart($token: String, $password: String, $devices: [String!]) { walk: chatStart(token: $token, password: $password, devices: $devices) { url binding } }';
const FINISH = `mutation chatFinish($state: String!, $code: String!, $binding: String!, $token: String, $devices: [String!]) {
  arrival: chatFinish(state: $state, code: $code, binding: $binding, token: $token, devices: $devices) { session ${NEW_SESSION} }
}`;
const WALK_SECONDS = 600;

/**
 * `POST /auth/chat/start` with `{ next? }` to log in and go on to that page, or `{ link: true, password? }` to link: 200 `{ url }`, the page of the platform to open; chat_not_available 404.
 * `GET /auth/chat/callback`, to which the platform sends the browser back: 303 to the dashboard, with the session's cookie, or with `?error=CODE#refused` when it failed.
 */
export const chatSteps = (flow: SignInFlow): Steps => ({
  '/auth/chat/start': {
    method: 'POST',
    async run(visit) {
      const { link, password, next } = visit.body;
      const token = link === true ? (flow.cookies.session.read(visit.request) ?? '') : undefined;
      const { walk } = await flow.ask<{ walk: { url: string; binding: string } }>(visit, START, {
        ...(token !== undefined && { token: token || 'none' }),
        ...(typeof password === 'string' && { password }),
        devices: flow.devicesOf(visit),
      });
      const parts = [link === true ? 'link' : 'sign-in', walk.binding, ...(isPage(next) ? [Buffer.from(next).toString('base64url')] : [])];
      visit.response.appendHeader('Set-Cookie', flow.cookies.chat.set(parts.join('.'), WALK_SECONDS));
      sendJson(visit.response, 200, { url: walk.url });
    },
  },
  '/auth/chat/callback': {
    method: 'GET',
    async run(visit) {
      const [purpose, binding = '', kept = ''] = flow.cookies.chat.read(visit.request)?.split('.') ?? [];
      visit.response.appendHeader('Set-Cookie', flow.cookies.chat.clear());
      const page = purpose === 'link' ? '/settings' : '/sign-in';
      const next = Buffer.from(kept, 'base64url').toString();
      try {
        goTo(visit, await arrive(flow, visit, { binding, next }));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // The fragment lets the page keep the room of the refusal from its first frame on, before its script has read the code.
        goTo(visit, `${withNext(`${page}?error=${error.code}`, next)}#refused`);
      }
    },
  },
});

const isPage = (next: unknown): next is string => typeof next === 'string' && PAGE_PATH.test(next);

/** Finishes the sign-in or the link; returns the page to go to. */
async function arrive(flow: SignInFlow, visit: Visit, { binding, next }: { binding: string; next: string }): Promise<string> {
  const { searchParams } = visit.call.url;
  const token = flow.cookies.session.read(visit.request);
  const { arrival } = await flow.ask<{ arrival: { session: NewSession | null } }>(visit, FINISH, {
    state: searchParams.get('state') ?? '',
    code: searchParams.get('code') ?? '',
    binding,
    ...(token !== undefined && { token }),
    devices: flow.devicesOf(visit),
  });
  if (!arrival.session) return '/settings?linked=chat';
  const answer = await flow.admit(visit, arrival.session);
  if ('accountId' in answer) return isPage(next) ? next : '/home';
  return withNext(`/sign-in?factors=${answer.secondFactors.join(',')}`, next);
}
