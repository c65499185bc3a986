// The desk's commands on accounts: who they are, their keys, their ways in, and who belongs to support.
import type { Scope } from '#platform/identity.ts';
import { checkTerms } from '../keys/domain/api-key-terms.ts';
import { maskApiKey, statusOfKey } from '../keys/domain/api-key.ts';
import { keysOfAccount } from '../keys/entities/api-key.ts';
import { openKeyRequests } from '../keys/entities/key-request.ts';
import type { Context } from '../context.ts';
import { issueApiKey, rotateApiKey } from '../keys/services/issue-api-key.ts';
import { declineRequest } from '../keys/services/key-requests.ts';
import { factorsOf } from '../identity/services/second-factor.ts';
import { setRole } from '../identity/services/staff.ts';
import { issueEnrolment } from '../identity/services/staff-enrolment.ts';
import { allowApi, endAllSessions, findAccounts, removeFactors, resendLink, revokeAnyKey } from '../support/services/support.ts';
import { type Command, Refusal, accountOf, table, toMoment } from './desk.ts';

const list = (text: string | undefined) => text?.split(',').filter(Boolean);

export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  find: {
    words: 'WORDS',
    about: 'accounts by address, id, order, key or its last four',
    run: async (ctx, { of }) =>
      table(
        (await findAccounts(ctx, of)).map(({ id, email, role, apiAllowed }) => [
          id,
          email,
          role,
          apiAllowed ? 'API allowed' : 'API forbidden',
        ]),
      ),
  },
  keys: {
    words: 'ACCOUNT',
    about: 'the keys of an account',
    async run(ctx, { of }) {
      const keys = await keysOfAccount(ctx.em, (await accountOf(ctx, of)).id);
      return table(
        keys.map((key) => [
          key.id,
          maskApiKey(key),
          key.kind,
          statusOfKey(key, ctx.clock.now()),
          key.scopes.join(','),
          key.expiresAt?.toISOString(),
        ]),
      );
    },
  },
  'key-requests': {
    words: '',
    about: 'who waits for a key, or for a new one in the place of an old one',
    run: async (ctx) =>
      table(
        (await openKeyRequests(ctx.em)).map(({ id, accountId, kind, scopes, replaces, overlapHours, note, createdAt }) => [
          id,
          accountId,
          kind,
          scopes.join(','),
          replaces && `replaces ${replaces}, overlap ${overlapHours} h`,
          createdAt.toISOString(),
          note,
        ]),
      ),
  },
  'issue-key': {
    words: 'ACCOUNT [--expires 30d] [--request ID] [--scopes read,generate,servers,billing [--addresses 203.0.113.7,2001:db8::/32]]',
    about: 'a new key; with scopes a partner key',
    async run(ctx, { of, expires, scopes, addresses, request }) {
      const wanted = list(scopes) as Scope[] | undefined;
      const unknown = wanted?.find((scope) => !['read', 'generate', 'servers', 'billing'].includes(scope));
      if (unknown !== undefined) throw new Refusal(`There is no scope ${unknown}.`);
      const terms = checkTerms({ kind: wanted ? 'PARTNER' : 'STANDARD', scopes: wanted, allowedAddresses: list(addresses) });
      const { id: accountId } = await accountOf(ctx, of);
      return (await issueApiKey(ctx, { accountId, expiresAt: toMoment(ctx, 'expires', expires), terms, requestId: request })).key;
    },
  },
  'decline-key': {
    words: 'REQUEST-ID',
    about: 'a wish for a key that is not met',
    run: async (ctx, { of }) => `${(await declineRequest(ctx, of)).id} is declined.`,
  },
  'rotate-key': {
    words: 'KEY-ID [--overlap HOURS]',
    about: 'a new key in the place of an old one, which works on for the overlap',
    run: async (ctx, { of, overlap }) =>
      (await rotateApiKey(ctx, { id: of, overlapHours: overlap === undefined ? undefined : Number(overlap) })).key,
  },
  'revoke-key': {
    words: 'KEY-ID',
    about: 'ends a key at once',
    run: async (ctx, { of }) => `${maskApiKey(await revokeAnyKey(ctx, of))} is revoked.`,
  },
  'allow-api': { words: 'ACCOUNT', about: 'allows API use', run: (ctx, { of }) => setApi(ctx, of, true) },
  'forbid-api': { words: 'ACCOUNT', about: 'forbids API use: every key answers 403', run: (ctx, { of }) => setApi(ctx, of, false) },
  resend: {
    words: 'EMAIL',
    about: 'sends a verification link again',
    run: async (ctx, { of }) => `A link is on its way to ${(await resendLink(ctx, of)).email}.`,
  },
  'end-sessions': {
    words: 'ACCOUNT',
    about: 'signs an account out everywhere',
    run: async (ctx, { of }) => `Sessions ended: ${await endAllSessions(ctx, (await accountOf(ctx, of)).id)}.`,
  },
  'remove-factors': {
    words: 'ACCOUNT',
    about: 'takes off second factors that their owner has lost; ends the sessions',
    run: async (ctx, { of }) => `${(await removeFactors(ctx, (await accountOf(ctx, of)).id)).email ?? of} owes no second factor any more.`,
  },
  'enrol-factor': {
    words: 'ACCOUNT',
    about: 'a link by which a member of staff without a second factor sets one up; hand it over in person',
    run: async (ctx, { of }) => linkFor(ctx, (await accountOf(ctx, of)).id),
  },
  appoint: {
    words: 'ACCOUNT',
    about: 'makes an account a member of staff; the first one appoints themselves',
    run: (ctx, { of }) => appoint(ctx, of, 'STAFF'),
  },
  dismiss: { words: 'ACCOUNT', about: 'makes a member of staff a customer again', run: (ctx, { of }) => appoint(ctx, of, 'CUSTOMER') },
};

async function setApi(ctx: Context, word: string, allowed: boolean): Promise<string> {
  const { id, email } = await allowApi(ctx, { accountId: (await accountOf(ctx, word)).id, allowed });
  return `${email ?? id} ${allowed ? 'may' : 'may not'} use the API.`;
}

async function appoint(ctx: Context, word: string, role: 'STAFF' | 'CUSTOMER'): Promise<string> {
  const { id, email } = await setRole(ctx, { accountId: (await accountOf(ctx, word)).id, role });
  if (role === 'CUSTOMER') return `${email ?? id} is a customer.`;
  const sentence = `${email ?? id} is a member of staff, once signed in with two factors.`;
  return (await factorsOf(ctx, id)).length > 0 ? sentence : `${sentence}\n${await linkFor(ctx, id)}`;
}

async function linkFor(ctx: Context, accountId: string): Promise<string> {
  const { url, expiresAt } = await issueEnrolment(ctx, accountId);
  return `Once, until ${expiresAt.toISOString()}, to set up the second factor: ${url}`;
}
