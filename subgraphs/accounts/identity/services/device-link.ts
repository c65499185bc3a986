// A way in for an owner whose address is being tried from everywhere: the browser that follows a link from a mail becomes one that the account knows.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newToken } from '#platform/secrets.ts';
import { type LinkAsked, checkNext } from '../domain/next-page.ts';
import { checkEmail } from '../domain/password.ts';
import { lockAccountWithEmail } from '../entities/account.ts';
import { isDeviceLinkWaiting } from '../entities/known-device.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { DEVICE_LINK_HOURS, trustMailedToken } from './known-devices.ts';
import { postMail } from '../../mail/services/mails.ts';

/** Asks for a link. It gives the same answer, as fast, for known and unknown addresses, since a job does the work. Errors: email_invalid, parameter_invalid. */
export async function askDeviceLink(ctx: IdentityContext, input: LinkAsked): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  const next = checkNext(input.next);
  await inTransaction(ctx, (tx) =>
    tx.jobs.enqueue(tx.em, 'accounts.device-link-mail', { email, ...(next !== null && { next }) }, { key: email.toLowerCase() }),
  );
  return { email };
}

/** Job: mails the link when the address has an account and no link of the last hour is unused; such a link is still valid. */
export async function mailDeviceLink(ctx: IdentityContext, { email, next }: LinkAsked): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const account = await lockAccountWithEmail(tx.em, email);
    if (!account?.email) return;
    const { id: accountId } = account;
    if (await isDeviceLinkWaiting(tx.em, accountId, after(ctx.clock.now(), -HOUR))) return;
    const token = newToken();
    await trustMailedToken(tx, accountId, token);
    await record(tx, { type: 'account.device_link_asked', accountId, subject: accountId, actor: 'VISITOR' });
    const search = new URLSearchParams({ token, ...(next != null && { next }) });
    await postMail(tx, account.email, 'device_link', { url: `${ctx.providers.publicUrl}/auth/device?${search}`, hours: DEVICE_LINK_HOURS });
  });
}
