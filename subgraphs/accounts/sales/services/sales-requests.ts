// What a customer asks of sales. Spec, What the service does: custom volumes, plans and SLAs are arranged through sales.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import {
  type SalesRequest,
  countOpenSalesRequests,
  existingSalesRequest,
  insertSalesRequest,
  openSalesRequest,
} from '../entities/sales-request.ts';
import type { Context } from '../../context.ts';
import { record } from '../../identity/services/activity.ts';
import { postMail } from '../../mail/services/mails.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** Spec is silent: the most open requests of an account. */
const MAX_OPEN = 5;

const invalid = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

/** Errors: parameter_invalid, too_many_attempts (five are open). */
export function sendSalesRequest(
  ctx: Context,
  input: { product: string; volume: string; message?: string | null | undefined },
): Promise<SalesRequest> {
  const accountId = accountOf(ctx);
  const [product, volume, message] = [input.product.trim(), input.volume.trim(), (input.message ?? '').trim()];
  for (const [field, text] of Object.entries({ product, volume }))
    if (text === '' || text.length > TEXT_MAX.salesLine) throw invalid(field, because('line_length', { max: TEXT_MAX.salesLine }));
  if (message.length > TEXT_MAX.salesMessage) throw invalid('message', because('message_too_long', { max: TEXT_MAX.salesMessage }));
  return inTransaction(ctx, async (tx) => {
    if ((await countOpenSalesRequests(tx.em, accountId)) >= MAX_OPEN)
      throw fail('too_many_attempts', { reason: because('requests_wait', { count: MAX_OPEN }) });
    const { email } = await existingAccount(tx.em, accountId);
    const id = newId('ask', ctx.clock);
    await insertSalesRequest(tx.em, {
      id,
      accountId,
      product,
      volume,
      message,
      createdAt: ctx.clock.now(),
    });
    await record(tx, { type: 'sales_request.sent', accountId, subject: id, data: { product, volume } });
    const { publicUrl, supportEmail } = ctx.providers;
    const asked = { account: email ?? accountId, product, volume, message, url: `${publicUrl}/support/accounts/${accountId}` };
    await postMail(tx, supportEmail, 'sales_asked', asked);
    return existingSalesRequest(tx.em, id);
  });
}

/** Errors: request_not_found (none, or a closed one). */
export const closeSalesRequest = (ctx: Context, id: string): Promise<SalesRequest> => inTransaction(ctx, (tx) => closeNow(tx, { id }));

/** In the transaction of `ctx.em`. Errors: request_not_found. */
export async function closeNow(ctx: Context, which: { id: string; accountId?: string }): Promise<SalesRequest> {
  const request = await openSalesRequest(ctx.em, which);
  if (!request) throw fail('request_not_found');
  request.status = 'CLOSED';
  request.closedAt = ctx.clock.now();
  await record(ctx, {
    type: 'sales_request.closed',
    accountId: request.accountId,
    subject: request.id,
    data: { product: request.product },
  });
  return request;
}
