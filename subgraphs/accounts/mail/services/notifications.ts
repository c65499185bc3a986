import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import type { MailKind } from '../domain/mails.ts';
import { type NotificationTopic, topicOf } from '../domain/notification-topic.ts';
import { type Account, accountWithEmail, lockAccount } from '../../identity/entities/account.ts';
import type { Context } from '../../providers.ts';
import { record } from '../../identity/services/activity.ts';

/** Whether the account of this address has said that it does not want mails of this kind. */
export async function isUnwanted({ em }: Pick<Context, 'em'>, to: string, kind: MailKind): Promise<boolean> {
  const topic = topicOf(kind);
  return topic !== undefined && ((await accountWithEmail(em, to))?.unwantedTopics.includes(topic) ?? false);
}

/** Wants or leaves mails about one topic from now on. A choice that stands already changes nothing. */
export function chooseNotification(ctx: Context, topic: NotificationTopic, wanted: boolean): Promise<Account> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    if (account.unwantedTopics.includes(topic) !== wanted) return account;
    account.unwantedTopics = wanted ? account.unwantedTopics.filter((one) => one !== topic) : [...account.unwantedTopics, topic];
    await record(tx, { type: 'account.notification_chosen', accountId, subject: accountId, data: { topic, wanted } });
    return account;
  });
}
