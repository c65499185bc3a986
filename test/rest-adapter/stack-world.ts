// The whole platform, with real subgraphs on PostgreSQL, for the same test tables.
import { DAY, SECOND, after } from '#platform/clock.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import { revokeApiKey } from '../../subgraphs/accounts/keys/services/api-keys.ts';
import { receiveUsageReport } from '../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import type { World } from './world.ts';
import { deleteRows, setRows } from '../kit/tables.ts';

export interface StackWorld extends World {
  stack: Stack;
  /** The session of the plans' owner. */
  cookie(): Promise<string>;
  /** A key with these scopes. */
  keyFor(...scopes: Scope[]): Promise<string>;
  /** Reports traffic of a plan, as a network does. */
  use(plan: { username: string }, bytes: { up: bigint; down: bigint }, at?: Date): Promise<void>;
}

/** `environment` overrides configuration variables. */
export async function startStackWorld(environment: Record<string, string> = {}): Promise<StackWorld> {
  const stack = await startStack({ environment });
  const [owner, stranger, barred] = [await stack.seed.account(), await stack.seed.account(), await stack.seed.account()];
  await setRows(stack.database.query, 'accounts.account', { api_allowed: false }, { id: barred.id });
  const plan = async (account: typeof owner, options: Parameters<typeof owner.residentialPlan>[0]) => {
    // Each plan gets another time, as lists are newest first.
    stack.clock.advance(SECOND);
    return account.residentialPlan(options);
  };
  const premium = await plan(owner, { gigabytes: 5 });
  const mobile = await plan(owner, { product: 'MOBILE', gigabytes: 1 });
  const expired = await plan(owner, { gigabytes: 1 });
  const foreign = await plan(stranger, {});
  const deleted = await owner.apiKey();
  await deleteRows(stack.database.query, 'accounts.api_key', { id: deleted.id });

  let reports = 0;
  const use: StackWorld['use'] = async ({ username }, { up, down }, at = stack.clock.now()) => {
    const line = { line: 0, username, upBytes: up, downBytes: down, at };
    await receiveUsageReport(stack.subgraphs.residential.systemContext('test'), {
      source: 'test',
      reportId: `report-${++reports}`,
      lines: [line],
    });
  };
  await use(expired, { up: 1n, down: 10n ** 9n });
  await use(premium, { up: 34_567_890n, down: 1_200_000_000n }, after(stack.clock.now(), -DAY));

  const viewer: Viewer = {
    kind: 'session',
    accountId: owner.id,
    sessionId: 'sess_test',
    staff: false,
    address: '127.0.0.1',
    requestId: 'req_test',
  };
  return {
    stack,
    url: stack.url,
    async key(state = 'active') {
      if (state === 'forbidden') return (await barred.apiKey()).key;
      const { id, key } = await owner.apiKey(state === 'expired' ? { expiresAt: after(stack.clock.now(), -1) } : {});
      if (state === 'revoked') await revokeApiKey(stack.subgraphs.accounts.context(viewer), id);
      return key;
    },
    cookie: () => owner.cookie(),
    keyFor: async (...scopes) => (await owner.apiKey({ scopes })).key,
    unknownKey: deleted.key,
    malformedKey: 'not-a-key',
    plans: { premium: premium.id, mobile: mobile.id, expired: expired.id, foreign: foreign.id },
    use,
    close: () => stack.close(),
  };
}
