import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import type { NotificationTopic } from '../domain/notification-topic.ts';

/** An account, as its owner is told of things. */
export interface Recipient {
  id: string;
  email?: string | null;
  language: Language;
  /** The topics of which it wants no mails. */
  unwantedTopics: readonly NotificationTopic[];
  /** The topics of which its browsers are not told. */
  unpushedTopics: readonly NotificationTopic[];
}

/** What mails need to know about accounts. */
export interface Recipients {
  withEmail(em: EntityManager, email: string): Promise<Recipient | null>;
  /** Null also for a closed account. */
  withId(em: EntityManager, id: string): Promise<Recipient | null>;
}
