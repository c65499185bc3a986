import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import type { NotificationTopic } from '../domain/notification-topic.ts';

/** What mails need to know about accounts. */
export interface Recipients {
  /** The address of an account's owner; null: the account has none, or `accountId` is null. */
  emailOf(em: EntityManager, accountId: string | null): Promise<string | null>;
  /** The language of the account with this address; undefined: there is no such account. */
  languageOf(em: EntityManager, email: string): Promise<Language | undefined>;
  /** The topics of which the account with this address wants no mails; none: there is no such account. */
  unwantedOf(em: EntityManager, email: string): Promise<readonly NotificationTopic[]>;
}
