import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import type { NotificationTopic } from '../domain/notification-topic.ts';

/** What mails ask of those who know accounts. */
export interface Recipients {
  /** Where the owner of an account reads mails; null: nowhere, or nobody owns what is asked about. */
  emailOf(em: EntityManager, accountId: string | null): Promise<string | null>;
  /** What the account of an address reads; undefined: there is none. */
  languageOf(em: EntityManager, email: string): Promise<Language | undefined>;
  /** Whether the account of an address has said that it does not want mails about a topic. */
  isUnwanted(em: EntityManager, email: string, topic: NotificationTopic): Promise<boolean>;
}
