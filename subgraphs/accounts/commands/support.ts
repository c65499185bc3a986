// Support's desk at the command line: `npm run --silent support -- COMMAND ...`. The same use cases as the pages, in the account's activity under SUPPORT.
import { parseArgs } from 'node:util';
import { after } from '#shared/clock.ts';
import { withSubgraph } from '#shared/command.ts';
import type { Scope } from '#shared/identity.ts';
import { checkTerms } from '../domain/api-key-terms.ts';
import { maskApiKey, statusOfKey, toSpan } from '../domain/api-key.ts';
import { accountWithEmail } from '../entities/account.ts';
import { keysOfAccount } from '../entities/api-key.ts';
import { ordersOfAccount } from '../entities/order.ts';
import type { Context } from '../providers.ts';
import { issueApiKey, rotateApiKey } from '../services/issue-api-key.ts';
import {
  type OrderRemedy,
  accountFor,
  allowApi,
  endAllSessions,
  findAccounts,
  remedyOrder,
  removeFactors,
  resendLink,
  revokeAnyKey,
} from '../services/support.ts';
import { accounts } from '../subgraph.ts';

interface Words {
  /** The word after the command. */
  of: string;
  overlap?: string | undefined;
  expires?: string | undefined;
  scopes?: string | undefined;
  addresses?: string | undefined;
}

interface Command {
  words: string;
  about: string;
  run(ctx: Context, words: Words): Promise<string>;
}

const table = (rows: (string | number | null | undefined)[][]) => rows.map((row) => row.map((cell) => cell ?? '-').join('\t')).join('\n');
const list = (text: string | undefined) => text?.split(',').filter(Boolean);
const accountOf = async (ctx: Context, word: string) =>
  (word.startsWith('acct_') ? null : await accountWithEmail(ctx.em, word)) ?? accountFor(ctx, word);
const toHours = (text: string | undefined) => (text === undefined ? undefined : Number(text));

async function toExpiry(ctx: Context, text: string | undefined): Promise<Date | null> {
  if (text === undefined) return null;
  const span = toSpan(text);
  if (span === undefined) throw new Refusal(`--expires takes days or hours such as 30d or 12h, not ${text}.`);
  return after(ctx.clock.now(), span);
}

class Refusal extends Error {}

const COMMANDS: Readonly<Record<string, Command>> = {
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
  orders: {
    words: 'ACCOUNT',
    about: 'the orders of an account',
    async run(ctx, { of }) {
      const orders = await ordersOfAccount(ctx.em, (await accountOf(ctx, of)).id);
      return table(
        orders.map(({ id, status, title, totalMinor, currency, placedAt }) => [
          id,
          status,
          title,
          `${(totalMinor / 100).toFixed(2)} ${currency}`,
          placedAt.toISOString(),
        ]),
      );
    },
  },
  'issue-key': {
    words: 'ACCOUNT [--expires 30d] [--scopes read,generate,servers,billing [--addresses 203.0.113.7,2001:db8::/32]]',
    about: 'a new key; with scopes a partner key',
    async run(ctx, { of, expires, scopes, addresses }) {
      const wanted = list(scopes) as Scope[] | undefined;
      const unknown = wanted?.find((scope) => !['read', 'generate', 'servers', 'billing'].includes(scope));
      if (unknown !== undefined) throw new Refusal(`There is no scope ${unknown}.`);
      const terms = checkTerms({ kind: wanted ? 'PARTNER' : 'STANDARD', scopes: wanted, allowedAddresses: list(addresses) });
      const { id: accountId } = await accountOf(ctx, of);
      return (await issueApiKey(ctx, { accountId, expiresAt: await toExpiry(ctx, expires), terms })).key;
    },
  },
  'rotate-key': {
    words: 'KEY-ID [--overlap HOURS]',
    about: 'a new key in the place of an old one, which works on for the overlap',
    run: async (ctx, { of, overlap }) => (await rotateApiKey(ctx, { id: of, overlapHours: toHours(overlap) })).key,
  },
  'revoke-key': {
    words: 'KEY-ID',
    about: 'ends a key at once',
    run: async (ctx, { of }) => `${maskApiKey(await revokeAnyKey(ctx, of))} is revoked.`,
  },
  'allow-api': { words: 'ACCOUNT', about: 'allows API use', run: async (ctx, { of }) => setApi(ctx, of, true) },
  'forbid-api': { words: 'ACCOUNT', about: 'forbids API use: every key answers 403', run: async (ctx, { of }) => setApi(ctx, of, false) },
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
  recheck: { words: 'ORDER-ID', about: 'asks the processor for the payment of an order', run: (ctx, { of }) => remedy(ctx, of, 'RECHECK') },
  redeliver: {
    words: 'ORDER-ID',
    about: 'tells the seller once more that an order is paid',
    run: (ctx, { of }) => remedy(ctx, of, 'REDELIVER'),
  },
  'cancel-order': { words: 'ORDER-ID', about: 'gives up an order that is not paid', run: (ctx, { of }) => remedy(ctx, of, 'CANCEL') },
};

async function setApi(ctx: Context, word: string, allowed: boolean): Promise<string> {
  const { id, email } = await allowApi(ctx, { accountId: (await accountOf(ctx, word)).id, allowed });
  return `${email ?? id} ${allowed ? 'may' : 'may not'} use the API.`;
}

async function remedy(ctx: Context, id: string, act: OrderRemedy): Promise<string> {
  const order = await remedyOrder(ctx, { id, remedy: act });
  return `${order.id} is ${order.status}.`;
}

const usage = () =>
  `Usage: npm run --silent support -- COMMAND\n${Object.entries(COMMANDS)
    .map(([name, { words, about }]) => `  ${`${name} ${words}`.padEnd(44)} ${about}`)
    .join('\n')}\nACCOUNT is an e-mail address or an id.`;

await withSubgraph(accounts, async (ctx, refuse) => {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { overlap: text, expires: text, scopes: text, addresses: text },
  });
  const [name = '', of] = positionals;
  const command = COMMANDS[name];
  if (!command || of === undefined) throw refuse(usage());
  try {
    process.stdout.write(`${await command.run(ctx, { of, ...values })}\n`);
  } catch (error) {
    throw error instanceof Refusal ? refuse(error.message) : error;
  }
});
