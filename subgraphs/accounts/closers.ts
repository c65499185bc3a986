// What each noun does when an account is closed, in the order in which rows are locked.
import { disconnectAppsOf } from './apps/services/connected-apps.ts';
import { closePayments } from './billing/refunds/services/close-payments.ts';
import { refuseWhileCharged } from './billing/subscriptions/services/cancel-subscription.ts';
import { storeVatId } from './billing/tax/entities/vat-id.ts';
import { forgetWaysIn } from './identity/services/close-account.ts';
import { deleteKeyRequests } from './keys/entities/key-request.ts';
import { revokeKeysOf } from './keys/services/api-keys.ts';
import { forgetPush } from './push/services/push-devices.ts';
import { forgetWebhooks } from './webhooks/services/endpoints.ts';
import { endTeamsOf } from './teams/services/members.ts';
import type { Context } from './context.ts';
import { deleteSalesRequests } from './sales/entities/sales-request.ts';

/** All run in the transaction that closes the account; if one fails, the account stays open. */
const CLOSERS: readonly ((tx: Context, accountId: string) => Promise<void>)[] = [
  refuseWhileCharged,
  closePayments,
  // The VAT id is not checked again; the earlier results stay with the orders that they were for.
  async ({ em, clock }, accountId) => void (await storeVatId(em, accountId, null, clock.now())),
  disconnectAppsOf,
  revokeKeysOf,
  forgetWebhooks,
  forgetPush,
  endTeamsOf,
  forgetWaysIn,
  ({ em }, accountId) => deleteKeyRequests(em, accountId),
  ({ em }, accountId) => deleteSalesRequests(em, accountId),
];

export async function endPartsOf(tx: Context, accountId: string): Promise<void> {
  for (const close of CLOSERS) await close(tx, accountId);
}
