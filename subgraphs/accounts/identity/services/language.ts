import { personOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import { type Account, lockAccount } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';

/** Sets the language of an account, for its mails and for documents that are issued from now on. Choosing the present language changes nothing. */
export function chooseLanguage(ctx: IdentityContext, language: Language): Promise<Account> {
  const accountId = personOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    if (account.language === language) return account;
    account.language = language;
    await record(tx, { type: 'account.language_chosen', accountId, subject: accountId, data: { language } });
    return account;
  });
}
