import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { type NotificationTopic, termsOf } from '../../mail/domain/notification-topic.ts';
import { type Account, lockAccount } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';

/**
 * Switches mails about a topic on or off for the caller's account. Choosing the present setting changes nothing. Errors: parameter_invalid for a topic whose mails
 * are always sent.
 */
export function chooseNotification(ctx: IdentityContext, topic: NotificationTopic, wanted: boolean): Promise<Account> {
  const accountId = accountOf(ctx);
  if (!wanted && termsOf(topic).required) throw fail('parameter_invalid', { field: 'topic', reason: because('notification_required') });
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    if (account.unwantedTopics.includes(topic) !== wanted) return account;
    account.unwantedTopics = wanted ? account.unwantedTopics.filter((one) => one !== topic) : [...account.unwantedTopics, topic];
    await record(tx, { type: 'account.notification_chosen', accountId, subject: accountId, data: { topic, wanted } });
    return account;
  });
}
