// What of each noun ends with an account, in the order in which rows are locked.
import { refuseWhileCharged } from './billing/subscriptions/services/cancel-subscription.ts';
import { type Closer, forgetWaysIn } from './identity/services/close-account.ts';
import { deleteKeyRequests } from './keys/entities/key-request.ts';
import { revokeKeysOf } from './keys/services/api-keys.ts';
import { deleteSalesRequests } from './support/entities/sales-request.ts';

export const CLOSERS: readonly Closer[] = [
  refuseWhileCharged,
  revokeKeysOf,
  forgetWaysIn,
  ({ em }, accountId) => deleteKeyRequests(em, accountId),
  ({ em }, accountId) => deleteSalesRequests(em, accountId),
];
