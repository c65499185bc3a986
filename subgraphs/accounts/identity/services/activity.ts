// What happens on an account is recorded twice in one transaction: as an event in the log, for other parts, and as a line of the account's activity, for
// people: who, what, when, from where.
import { type EventOf, type EventType, type NewEvent, appendEvents } from '#platform/events.ts';
import type { Viewer } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import { type ActivityActor, insertActivity } from '../entities/activity.ts';
import type { IdentityContext } from '../context.ts';

/** An event about an account; its payload may be read by the owner and by other parts. */
export type Fact<Type extends EventType = EventType> = Type extends EventType
  ? Omit<NewEvent<Type>, 'at' | 'accountId'> & {
      accountId: string;
      /** Who did it, where the viewer does not tell: a person who logs in has no session yet. */
      actor?: ActivityActor;
    }
  : never;

/** A line of an account's activity. `data` are its public details. */
interface ActivityLine {
  /** `resource.verb_past`, the type of the event that it is about. */
  type: EventType;
  at: Date;
  accountId: string | null;
  subject: string;
  data?: Record<string, unknown>;
}

export const MAX_AGENT_LENGTH = 300;

export function actorOf(viewer: Viewer, accountId: string): ActivityActor {
  switch (viewer.kind) {
    case 'session':
      return viewer.accountId === accountId ? 'OWNER' : 'SUPPORT';
    case 'key':
      return 'API_KEY';
    case 'anonymous':
      return 'VISITOR';
    case 'system':
      return 'PLATFORM';
  }
}

const idOf = (viewer: Viewer): string | null =>
  viewer.kind === 'session'
    ? (viewer.member ?? viewer).accountId
    : viewer.kind === 'key'
      ? viewer.keyId
      : viewer.kind === 'system'
        ? viewer.name
        : null;

/** Appends the event and the line of activity, in the transaction of `ctx.em`. */
export async function record(ctx: IdentityContext, { actor, ...fact }: Fact): Promise<void> {
  const event = { ...fact, at: ctx.clock.now() };
  await appendEvents(ctx.em, event);
  await writeActivity(ctx, event, actor ?? actorOf(ctx.viewer, fact.accountId));
}

/** Writes only the line of activity: for events that another subgraph has appended. */
export async function writeActivity(
  ctx: IdentityContext,
  { type, at, accountId, subject, data = {} }: ActivityLine,
  actor: ActivityActor,
  actorId = idOf(ctx.viewer),
): Promise<void> {
  if (accountId === null) return;
  const { viewer } = ctx;
  const outside = viewer.kind !== 'system';
  await insertActivity(ctx.em, {
    id: newId('act', ctx.clock),
    accountId,
    at,
    type,
    actor,
    actorId,
    address: outside ? viewer.address : null,
    userAgent: outside ? (viewer.userAgent ?? '').slice(0, MAX_AGENT_LENGTH) : null,
    subject,
    data,
  });
}

/** Reaction: writes what the owner, or support for them, has done on a plan as a line of the owner's activity. These events do not say from which address. */
export function noteFact(
  ctx: IdentityContext,
  event: EventOf<
    | 'residential_plan.reset'
    | 'residential_plan.limited'
    | 'residential_plan.alerts_set'
    | 'residential_plan.network_added'
    | 'residential_plan.network_removed'
    | 'residential_plan.log_in_set'
    | 'residential_plan.request_log_deleted'
    | 'residential_plan.request_log_set'
    | 'residential_plan.auto_top_up_set'
    | 'static_plan.credentials_changed'
    | 'static_plan.network_added'
    | 'static_plan.network_removed'
    | 'static_plan.log_in_set'
    | 'usage_hosts.chosen'
  >,
): Promise<void> {
  const { member, ...data } = event.data;
  return writeActivity(ctx, { ...event, data }, 'by' in data && data.by !== undefined ? 'SUPPORT' : 'OWNER', member);
}

/** Reaction: writes that support has withdrawn bytes of a package, and who did it. A refund has a line of its own. */
export const noteWithdrawal = async (ctx: IdentityContext, event: EventOf<'residential_plan.withdrawn'>): Promise<void> => {
  if (event.data.by !== undefined) await writeActivity(ctx, event, 'SUPPORT');
};
