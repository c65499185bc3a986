// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call } from '../call.ts';
import { eventsMethods } from './events.ts';
import { offersMethods } from './offers.ts';
import { orderAllowanceMethods } from './order-allowance.ts';
import { ordersMethods } from './orders.ts';
import { residentialMethods } from './residential.ts';
import { residentialBatchesMethods } from './residential-batches.ts';
import { residentialLinesMethods } from './residential-lines.ts';
import { residentialNetworksMethods } from './residential-networks.ts';
import { residentialRequestsMethods } from './residential-requests.ts';
import { residentialTopUpsMethods } from './residential-top-ups.ts';
import { residentialUsersMethods } from './residential-users.ts';
import { serversMethods } from './servers.ts';
import { serversOperationsMethods } from './servers-operations.ts';
import { staticMethods } from './static.ts';
import { staticLinesMethods } from './static-lines.ts';
import { staticNetworksMethods } from './static-networks.ts';
import { subscriptionsMethods } from './subscriptions.ts';
import { webhooksMethods } from './webhooks.ts';

export type * from './events.ts';
export type * from './offers.ts';
export type * from './order-allowance.ts';
export type * from './orders.ts';
export type * from './residential.ts';
export type * from './residential-batches.ts';
export type * from './residential-lines.ts';
export type * from './residential-networks.ts';
export type * from './residential-requests.ts';
export type * from './residential-top-ups.ts';
export type * from './residential-users.ts';
export type * from './servers.ts';
export type * from './servers-operations.ts';
export type * from './static.ts';
export type * from './static-lines.ts';
export type * from './static-networks.ts';
export type * from './subscriptions.ts';
export type * from './webhooks.ts';
export type * from '../words/error-codes.ts';
export type * from '../words/webhook-events.ts';

/** A method for each operation of /openapi.json: `list_events` is `listEvents`, and `eachEvent` reads all of its pages. */
export type Methods = ReturnType<typeof eventsMethods> &
  ReturnType<typeof offersMethods> &
  ReturnType<typeof orderAllowanceMethods> &
  ReturnType<typeof ordersMethods> &
  ReturnType<typeof residentialMethods> &
  ReturnType<typeof residentialBatchesMethods> &
  ReturnType<typeof residentialLinesMethods> &
  ReturnType<typeof residentialNetworksMethods> &
  ReturnType<typeof residentialRequestsMethods> &
  ReturnType<typeof residentialTopUpsMethods> &
  ReturnType<typeof residentialUsersMethods> &
  ReturnType<typeof serversMethods> &
  ReturnType<typeof serversOperationsMethods> &
  ReturnType<typeof staticMethods> &
  ReturnType<typeof staticLinesMethods> &
  ReturnType<typeof staticNetworksMethods> &
  ReturnType<typeof subscriptionsMethods> &
  ReturnType<typeof webhooksMethods>;

export const methods = (call: Call): Methods => ({
  ...eventsMethods(call),
  ...offersMethods(call),
  ...orderAllowanceMethods(call),
  ...ordersMethods(call),
  ...residentialMethods(call),
  ...residentialBatchesMethods(call),
  ...residentialLinesMethods(call),
  ...residentialNetworksMethods(call),
  ...residentialRequestsMethods(call),
  ...residentialTopUpsMethods(call),
  ...residentialUsersMethods(call),
  ...serversMethods(call),
  ...serversOperationsMethods(call),
  ...staticMethods(call),
  ...staticLinesMethods(call),
  ...staticNetworksMethods(call),
  ...subscriptionsMethods(call),
  ...webhooksMethods(call),
});
