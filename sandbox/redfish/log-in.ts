// The log-in to a controller: its user is the machine's id, and all controllers have the same password.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metal, RedfishState } from './state.ts';

/** The machine of an Authorization header, if the header is valid. */
export type LogIn = (authorization: string | undefined) => Metal | undefined;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `passwords`: the present one, and an earlier one with which machines in stock may be recorded. */
export function createLogIn({ machines }: Pick<RedfishState, 'machines'>, passwords: readonly string[]): LogIn {
  return (authorization = '') => {
    const [, encoded = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
    const [user = '', given = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s);
    return passwords.some((password) => timingSafeEqual(digest(given), digest(password))) ? machines[user] : undefined;
  };
}
