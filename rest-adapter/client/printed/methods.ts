// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call } from '../call.ts';
import { eventsMethods } from './events.ts';
import { residentialMethods } from './residential.ts';
import { residentialUsersMethods } from './residential-users.ts';
import { serversMethods } from './servers.ts';
import { serversOperationsMethods } from './servers-operations.ts';
import { staticMethods } from './static.ts';
import { subscriptionsMethods } from './subscriptions.ts';
import { webhooksMethods } from './webhooks.ts';

export type * from './events.ts';
export type * from './residential.ts';
export type * from './residential-users.ts';
export type * from './servers.ts';
export type * from './servers-operations.ts';
export type * from './static.ts';
export type * from './subscriptions.ts';
export type * from './webhooks.ts';
export type * from '../words/error-codes.ts';
export type * from '../words/webhook-events.ts';

/** A method for each operation of /openapi.json: `list_events` is `listEvents`, and `eachEvent` reads all of its pages. */
export type Methods = ReturnType<typeof eventsMethods> &
  ReturnType<typeof residentialMethods> &
  ReturnType<typeof residentialUsersMethods> &
  ReturnType<typeof serversMethods> &
  ReturnType<typeof serversOperationsMethods> &
  ReturnType<typeof staticMethods> &
  ReturnType<typeof subscriptionsMethods> &
  ReturnType<typeof webhooksMethods>;

export const methods = (call: Call): Methods => ({
  ...eventsMethods(call),
  ...residentialMethods(call),
  ...residentialUsersMethods(call),
  ...serversMethods(call),
  ...serversOperationsMethods(call),
  ...staticMethods(call),
  ...subscriptionsMethods(call),
  ...webhooksMethods(call),
});
