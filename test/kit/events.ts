import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import type { EventType, LoggedEvent, NewEvent } from '#platform/events.ts';

/** A fact that happens when it is told. */
export type Fact<Type extends EventType = EventType> = Type extends EventType ? Omit<NewEvent<Type>, 'at'> : never;

/** An event as it comes out of the log, for a reaction that is called without a reader. */
export const logged = ({ type, at, accountId, subject, data }: NewEvent): LoggedEvent => ({
  id: '0',
  type,
  at,
  accountId,
  subject,
  data: JSON.parse(JSON.stringify(data ?? {})) as Record<string, unknown>,
});

/** `renewed` for `subscription.renewed`, and so on. */
export type SubscriptionVerb = SubscriptionFact extends `subscription.${infer Verb}` ? Verb : never;
