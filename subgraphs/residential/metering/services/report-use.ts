import { type EventOf, appendEvents } from '#platform/events.ts';
import { plansById } from '../../plans/entities/plan.ts';
import type { Context } from '../context.ts';
import { findAddressUse } from './find-address-use.ts';

/** The most plans that a case names, those that used the address most: within a day thousands of plans may have used a busy exit. */
const MAX_PLANS = 100;
/** The most hosts of each plan. */
const MAX_LINES = 100;

/** Reaction to `abuse_case.use_asked`: tells for each plan that used the address from where and to which hosts. */
export async function reportUse(ctx: Context, { subject: caseId, data }: EventOf<'abuse_case.use_asked'>): Promise<void> {
  const uses = await findAddressUse(ctx, { address: data.address, at: new Date(data.at), minutes: data.minutes });
  const ofPlan = [...Map.groupBy(uses, ({ planId }) => planId)].slice(0, MAX_PLANS);
  const plans = await plansById(
    ctx.em,
    ofPlan.map(([id]) => id),
    ctx.clock.now(),
  );
  const owners = new Map(plans.map((plan) => [plan.id, plan]));
  for (const [planId, found] of ofPlan) {
    const plan = owners.get(planId);
    if (!plan) continue;
    const lines = found
      .flatMap(({ client, session, exit, address, hosts }) =>
        hosts.map(({ host, firstAt, lastAt, upBytes, downBytes }) => ({
          at: firstAt.toISOString(),
          text: `until ${lastAt.toISOString()} from ${client ?? 'an unknown address'} (${session ? `session ${session}` : 'rotating'}) by ${exit} ${address ?? ''} to ${host ?? 'an unknown host'}: ${upBytes} bytes up, ${downBytes} bytes down`,
        })),
      )
      .slice(0, MAX_LINES)
      .toSorted((one, other) => one.at.localeCompare(other.at));
    const title = `Residential plan ${planId}, user name ${plan.username}, used ${data.address}`;
    await appendEvents(ctx.em, {
      type: 'residential_plan.use_found',
      at: ctx.clock.now(),
      accountId: plan.accountId,
      subject: planId,
      data: { caseId, title, lines },
    });
  }
}
