import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import type { EventType, LoggedEvent, NewEvent } from '#platform/events.ts';

/** An event without its time, which is set when the event is appended. */
export type Fact<Type extends EventType = EventType> = Type extends EventType ? Omit<NewEvent<Type>, 'at'> : never;

/** An event as it is read from the log, for tests that call an event handler without a reader. */
export const logged = ({ type, at, accountId, subject, data }: NewEvent): LoggedEvent => ({
  id: '0',
  type,
  at,
  accountId,
  subject,
  data: JSON.parse(JSON.stringify(data ?? {})) as Record<string, unknown>,
});

/** The last part of an event's type: `renewed` for `subscription.renewed`, and so on. */
export type SubscriptionVerb = SubscriptionFact extends `subscription.${infer Verb}` ? Verb : never;
