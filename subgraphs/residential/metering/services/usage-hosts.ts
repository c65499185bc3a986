// How the hosts that an account's lines reach are kept: what it is told, and its choice.
import { accountOf, doneBy } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { Context } from '../context.ts';
import { type HostsKept, type UsageHosts, allowedUnder, checkHostsKept, keptOf } from '../../plans/domain/hosts-kept.ts';
import { hostChoiceOf, saveHostChoice } from '../entities/host-choice.ts';

/** How the hosts of an account that the caller may see are kept, of bytes counted from now on. */
export async function usageHostsOf({ em, providers }: Context, accountId: string): Promise<UsageHosts> {
  const { operators } = providers.hosts;
  const choice = await hostChoiceOf(em, accountId);
  return { kept: keptOf(choice?.kept ?? null, operators), allowed: allowedUnder(operators), chosenAt: choice?.chosenAt ?? null };
}

/** Keeps the hosts of the caller's account so from the next counted line on. Throws `parameter_invalid` for less private than the operator keeps them. */
export const chooseUsageHosts = (ctx: Context, kept: HostsKept): Promise<UsageHosts> =>
  inTransaction(ctx, async (tx) => {
    checkHostsKept(kept, tx.providers.hosts.operators);
    const accountId = accountOf(tx);
    const now = tx.clock.now();
    if (await saveHostChoice(tx.em, accountId, kept, now))
      await appendEvents(tx.em, { type: 'usage_hosts.chosen', at: now, accountId, subject: accountId, data: { kept, ...doneBy(tx) } });
    return usageHostsOf(tx, accountId);
  });
