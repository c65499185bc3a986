// What a subgraph does about the facts of others: a table of type -> reaction, each typed by the contract of events.
import { type EventOf, type EventType, type LoggedEvent, readEvent } from './events.ts';

type Reaction<Ctx, Type extends EventType> = (ctx: Ctx, event: EventOf<Type>) => Promise<void>;

/** Type -> what is done about it; several are done one after the other, all or none. */
export type Reactions<Ctx> = { readonly [Type in EventType]?: Reaction<Ctx, Type> | readonly Reaction<Ctx, Type>[] };

/** Handles one event of the log in the transaction of `ctx.em`. Throws when its payload is not what the contract says. A type without a reaction is nothing to do. */
export async function react<Ctx>(reactions: Reactions<Ctx>, ctx: Ctx, event: LoggedEvent): Promise<void> {
  if (!Object.hasOwn(reactions, event.type)) return;
  // Every type of the table is one of the contract, and its reaction takes what the contract reads of it: nothing that the compiler follows through a table.
  const type = event.type as EventType;
  const parts = [reactions[type] ?? []].flat() as Reaction<Ctx, EventType>[];
  const read = readEvent({ ...event, type });
  for (const part of parts) await part(ctx, read);
}
