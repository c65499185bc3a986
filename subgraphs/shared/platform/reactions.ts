// A subgraph's reactions to events of others: a table of type -> reaction, each typed by the contract of events.
import { type EventOf, type EventType, type LoggedEvent, readEvent } from './events.ts';

type Reaction<Ctx, Type extends EventType> = (ctx: Ctx, event: EventOf<Type>) => Promise<void>;

/** Type -> its reaction; several run one after the other, in one transaction. */
export type Reactions<Ctx> = { readonly [Type in EventType]?: Reaction<Ctx, Type> | readonly Reaction<Ctx, Type>[] };

/** Handles one event of the log in the transaction of `ctx.em`. Throws when its payload does not fit the contract. Ignores types without a reaction. */
export async function react<Ctx>(reactions: Reactions<Ctx>, ctx: Ctx, event: LoggedEvent): Promise<void> {
  if (!Object.hasOwn(reactions, event.type)) return;
  // Every key of the table is an event type, and its reaction takes that type's payload, but the compiler cannot follow this through the lookup.
  const type = event.type as EventType;
  const parts = [reactions[type] ?? []].flat() as Reaction<Ctx, EventType>[];
  const read = readEvent({ ...event, type });
  for (const part of parts) await part(ctx, read);
}
