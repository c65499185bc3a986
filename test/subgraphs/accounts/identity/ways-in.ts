// The ways in which an owner logs in, for the test files that call `openWaysIn`.
import { afterAll, beforeAll } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, PASSWORD, startAccounts, visitor } from '../world.ts';

export let world: AccountsWorld;
/** Starts the world before the tests of the calling file, and closes it after them. */
export function openWaysIn(): void {
  beforeAll(async () => {
    world = await startAccounts();
  });
  afterAll(() => world.close());
}
export const NEW = 'quite another password';
const RECOVER = 'mutation ($email: String!) { accountRecover(email: $email) { email } }';
const SET = 'mutation ($token: String!, $password: String!) { accountSetPassword(token: $token, password: $password) { email } }';
export const CHANGE_PASSWORD =
  'mutation ($current: String!, $password: String!) { accountChangePassword(current: $current, password: $password) { id } }';

const CHANGE_EMAIL = 'mutation ($email: String!, $password: String!) { accountChangeEmail(email: $email, password: $password) { email } }';
const CONFIRM = 'mutation ($token: String!) { accountConfirmEmail(token: $token) { email done } }';
export const SESSIONS = '{ me { sessions { id current device address lastUsedAt twoFactor } } }';
export const ACTIVITY =
  'query ($first: Int!, $after: ID) { me { activity(first: $first, after: $after) { items { type actor address device subject details { name value } } next } } }';

export const logIn = (email: string, password = PASSWORD, from: Viewer = visitor()) => world.logIn(email, password, from);
export const recover = (email: string) => world.ask(visitor(), RECOVER, { email });
export const setPassword = (token: string, password = NEW) => world.ask(visitor(), SET, { token, password });
export const changeEmail = (viewer: Viewer, email: string, password = PASSWORD) => world.ask(viewer, CHANGE_EMAIL, { email, password });
export const confirm = (viewer: Viewer, token: string) => world.ask(viewer, CONFIRM, { token });
export const tokenTo = async (email: string, subject: RegExp) => {
  const mail = (await world.mailed(email)).findLast((message) => subject.test(message.subject));
  return new URL(mail?.links[0] ?? 'http://no-mail').searchParams.get('token') ?? '';
};

export const recoveryToken = (email: string) => tokenTo(email, /^Choose a new password/);
