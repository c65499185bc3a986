// A push service ends subscriptions now and then, and browsers some after a while: this one subscribes again and tells the platform, which a person need not know.
import { stringifyDocument } from '@urql/core';
import type { TypedDocumentNode } from '@urql/core';
import { Push, PushDeviceAdd } from '#lib/ops/push.ts';
import { digestOf, toInput } from '#lib/push-subscription.ts';

/** W3C Push API, 10.4; not all browsers say which subscription has ended, or have made another one. */
export interface SubscriptionChange {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/**
 * Rejects when the platform cannot be reached or refuses it. Nothing is done where the account that is signed in, if any, does not know this browser: whoever has
 * signed out is shown nothing, and nobody else has asked for anything. Without the subscription that has ended it is the one of this session.
 */
export async function resubscribe(
  { pushManager }: Pick<ServiceWorkerRegistration, 'pushManager'>,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const { me } = await ask(Push, {});
  const digest = oldSubscription && (await digestOf(oldSubscription));
  const known = me?.push.devices.find(({ endpointDigest, isThisSession }) => (digest ? endpointDigest === digest : isThisSession));
  if (!me || !known) return;
  const subscription = newSubscription ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: me.push.key }));
  await ask(PushDeviceAdd, { input: toInput(subscription), former: known.endpointDigest });
}

async function ask<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
    body: JSON.stringify({ query: stringifyDocument(document), variables }),
  });
  const { data, errors } = (await answer.json()) as { data?: Data | null; errors?: { message: string }[] };
  if (!data || errors?.length) throw new Error(errors?.[0]?.message ?? `the platform answers ${answer.status}`);
  return data;
}
