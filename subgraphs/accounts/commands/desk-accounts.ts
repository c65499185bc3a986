// The desk's commands on accounts: who they are, their keys, their ways in, and who belongs to support.
import { SCOPES, type Scope } from '#platform/identity.ts';
import { formatMoney, usd } from '#commerce/money.ts';
import { checkTerms } from '../keys/domain/api-key-terms.ts';
import { maskApiKey, statusOfKey } from '../keys/domain/api-key.ts';
import { keysOfAccount } from '../keys/entities/api-key.ts';
import { openKeyRequests } from '../keys/entities/key-request.ts';
import type { Context } from '../context.ts';
import { issueApiKey, rotateApiKey } from '../keys/services/issue-api-key.ts';
import { grantOrders } from '../keys/services/key-orders.ts';
import { declineRequest } from '../keys/services/key-requests.ts';
import { restoreAccount, suspendAccount } from '../support/services/suspend-account.ts';
import { allowApi, endAllSessions, findAccounts, removeFactors, resendLink, revokeAnyKey } from '../support/services/support.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import { type Command, accountOf, toMoment } from './desk.ts';

const list = (text: string | undefined) => text?.split(',').filter(Boolean);

export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  find: {
    permission: 'customers',
    words: 'WORDS',
    about: 'accounts by address, id, order, key or its last four',
    run: async (ctx, { of }) =>
      table(
        (await findAccounts(ctx, of)).map(({ id, email, role, apiAllowed, suspendedAt }) => [
          id,
          email,
          role,
          suspendedAt ? 'suspended' : apiAllowed ? 'API allowed' : 'API forbidden',
        ]),
      ),
  },
  keys: {
    permission: 'customers',
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
    permission: 'api_keys',
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
    permission: 'api_keys',
    words:
      'ACCOUNT [--expires 30d] [--request ID] [--scopes read,generate,plans,servers,billing,webhooks [--addresses 203.0.113.7,2001:db8::/32]]',
    about: 'a new key; with scopes a partner key',
    async run(ctx, { of, expires, scopes, addresses, request }) {
      const wanted = list(scopes) as Scope[] | undefined;
      const unknown = wanted?.find((scope) => !SCOPES.includes(scope));
      if (unknown !== undefined) throw new Refusal(`There is no scope ${unknown}.`);
      const terms = checkTerms({ kind: wanted ? 'PARTNER' : 'STANDARD', scopes: wanted, allowedAddresses: list(addresses) });
      const { id: accountId } = await accountOf(ctx, of);
      return (await issueApiKey(ctx, { accountId, expiresAt: toMoment(ctx, 'expires', expires), terms, requestId: request })).key;
    },
  },
  'grant-orders': {
    permission: 'api_keys',
    words: 'KEY-ID --ceiling MINOR-UNITS',
    about: 'what a key may order in a month, with tax; 0 ends it',
    async run(ctx, { of, ceiling }) {
      const ceilingMinor = Number(ceiling ?? Number.NaN);
      if (!Number.isInteger(ceilingMinor)) throw new Refusal('--ceiling is a whole number of minor units, such as 25000 for 250.00.');
      const key = await grantOrders(ctx, { id: of, ceilingMinor });
      return `${maskApiKey(key)} may order for ${formatMoney(usd(ceilingMinor))} a month.`;
    },
  },
  'decline-key': {
    permission: 'api_keys',
    words: 'REQUEST-ID',
    about: 'a wish for a key that is not met',
    run: async (ctx, { of }) => `${(await declineRequest(ctx, of)).id} is declined.`,
  },
  'rotate-key': {
    permission: 'api_keys',
    words: 'KEY-ID [--overlap HOURS]',
    about: 'a new key in the place of an old one, which works on for the overlap',
    run: async (ctx, { of, overlap }) =>
      (await rotateApiKey(ctx, { id: of, overlapHours: overlap === undefined ? undefined : Number(overlap) })).key,
  },
  'revoke-key': {
    permission: 'api_key_end',
    words: 'KEY-ID',
    about: 'ends a key at once',
    run: async (ctx, { of }) => `${maskApiKey(await revokeAnyKey(ctx, of))} is revoked.`,
  },
  'allow-api': { permission: 'suspend', words: 'ACCOUNT', about: 'allows API use', run: (ctx, { of }) => setApi(ctx, of, true) },
  'forbid-api': {
    permission: 'suspend',
    words: 'ACCOUNT',
    about: 'forbids API use: every key answers 403',
    run: (ctx, { of }) => setApi(ctx, of, false),
  },
  suspend: {
    permission: 'suspend',
    words: 'ACCOUNT --reason TEXT',
    about: 'nobody enters it, and nothing that it has bought runs, until it is restored',
    run: async (ctx, { of, reason }) =>
      `${(await suspendAccount(ctx, { accountId: (await accountOf(ctx, of)).id, reason: given(reason) })).email ?? of} is suspended.`,
  },
  restore: {
    permission: 'suspend',
    words: 'ACCOUNT --reason TEXT',
    about: 'ends the suspension of an account',
    run: async (ctx, { of, reason }) =>
      `${(await restoreAccount(ctx, { accountId: (await accountOf(ctx, of)).id, reason: given(reason) })).email ?? of} is restored.`,
  },
  resend: {
    permission: 'access',
    words: 'EMAIL',
    about: 'sends a verification link again',
    run: async (ctx, { of }) => `A link is on its way to ${(await resendLink(ctx, of)).email}.`,
  },
  'end-sessions': {
    permission: 'access',
    words: 'ACCOUNT',
    about: 'signs an account out everywhere',
    run: async (ctx, { of }) => `Sessions ended: ${await endAllSessions(ctx, (await accountOf(ctx, of)).id)}.`,
  },
  'remove-factors': {
    permission: 'access',
    words: 'ACCOUNT',
    about: 'takes off second factors that their owner has lost; ends the sessions',
    run: async (ctx, { of }) => `${(await removeFactors(ctx, (await accountOf(ctx, of)).id)).email ?? of} owes no second factor any more.`,
  },
};

/** The reason, which the customer will read. */
function given(reason: string | undefined): string {
  if (reason === undefined) throw new Refusal('Say why, as the customer will read it: --reason TEXT.');
  return reason;
}

async function setApi(ctx: Context, word: string, allowed: boolean): Promise<string> {
  const { id, email } = await allowApi(ctx, { accountId: (await accountOf(ctx, word)).id, allowed });
  return `${email ?? id} ${allowed ? 'may' : 'may not'} use the API.`;
}
