// What owners do with the browsers that show their notifications: add, test and remove them, and choose of what they tell.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealing.ts';
import { PUSH } from '../../../../schema/limits.ts';
import type { EndedSessions } from '../../identity/context.ts';
import { deviceOf } from '../../identity/domain/device.ts';
import { type Account, lockAccount, lockMoneyOf } from '../../identity/entities/account.ts';
import { record } from '../../identity/services/activity.ts';
import type { NotificationTopic } from '../../mail/domain/notification-topic.ts';
import type { PushContext } from '../context.ts';
import { type PushSubscription, checkSubscription, digestOf } from '../domain/subscription.ts';
import { TEST_KIND } from '../domain/push-test.ts';
import {
  type PushDevice,
  countDevices,
  deleteDevice,
  deleteDeviceWithDigest,
  deletePushDevicesOf,
  deletePushDevicesOfSession,
  deviceWithDigest,
  insertDevice,
  lockDevice,
  moveDevice,
  renewDevice,
} from '../entities/push-device.ts';
import { dropDevice } from './drop-device.ts';
import { storeMessages } from './push-messages.ts';

/**
 * Adds the browser of the caller's session. One that is known already stays, in this session; one of another account leaves that: whoever is signed in now reads
 * what it shows. `former`: the digest of its subscription that is over; that device goes on with this one. Errors: session_invalid, parameter_invalid, too_many_push_devices (ten).
 */
export function addDevice(ctx: PushContext, given: PushSubscription, former?: string): Promise<PushDevice> {
  const { viewer, providers } = ctx;
  const accountId = accountOf(ctx);
  if (viewer.kind !== 'session') throw fail('session_invalid');
  const subscription = checkSubscription(given, providers.receivers.insecure);
  const endpointDigest = digestOf(subscription.endpoint);
  return inTransaction(ctx, async (tx) => {
    // Locked, so that concurrent requests cannot add an eleventh.
    await lockMoneyOf(tx.em, accountId);
    const over = former === undefined || former === endpointDigest ? null : await deviceWithDigest(tx.em, accountId, former);
    const isKnown = await moveDevice(tx.em, accountId, endpointDigest, viewer.sessionId);
    if (isKnown) {
      if (over) await deleteDevice(tx.em, over.id);
    } else if (over) {
      await deleteDeviceWithDigest(tx.em, endpointDigest);
      const sealed = seal(JSON.stringify(subscription), providers.secrets.sealing, over.id);
      await renewDevice(tx.em, over.id, { endpointDigest, sealed, sessionId: viewer.sessionId });
    } else {
      if ((await countDevices(tx.em, accountId)) >= PUSH.devices) throw fail('too_many_push_devices');
      await deleteDeviceWithDigest(tx.em, endpointDigest);
      const id = newId('push', tx.clock);
      const name = deviceOf(viewer.userAgent ?? '');
      const sealed = seal(JSON.stringify(subscription), providers.secrets.sealing, id);
      await insertDevice(tx.em, { id, accountId, sessionId: viewer.sessionId, endpointDigest, sealed, name, createdAt: tx.clock.now() });
      await record(tx, { type: 'push_device.added', accountId, subject: id, data: { name } });
    }
    const device = await deviceWithDigest(tx.em, accountId, endpointDigest);
    if (!device) throw fail('push_device_not_found');
    return device;
  });
}

/** Errors: push_device_not_found. */
export function removeDevice(ctx: PushContext, id: string): Promise<Account> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    const device = await lockDevice(tx.em, id, accountId);
    if (!device) throw fail('push_device_not_found', { field: 'id' });
    await dropDevice(tx, device);
    return account;
  });
}

/** Sends one browser a message that says nothing. Errors: push_device_not_found. */
export function testDevice(ctx: PushContext, id: string): Promise<PushDevice> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const device = await lockDevice(tx.em, id, accountId);
    if (!device) throw fail('push_device_not_found', { field: 'id' });
    await storeMessages(tx, [device], TEST_KIND, {});
    return device;
  });
}

/** Whether the account's browsers are told of a topic; mails are chosen beside that, so every topic may be switched off. */
export function choosePush(ctx: PushContext, topic: NotificationTopic, wanted: boolean): Promise<Account> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    if (account.unpushedTopics.includes(topic) !== wanted) return account;
    account.unpushedTopics = wanted ? account.unpushedTopics.filter((one) => one !== topic) : [...account.unpushedTopics, topic];
    await record(tx, { type: 'account.push_chosen', accountId, subject: accountId, data: { topic, wanted } });
    return account;
  });
}

/** Whoever signs out of a browser is shown nothing there any more. */
export const forgetSignedOut = ({ em }: PushContext, accountId: string, ended: EndedSessions): Promise<void> =>
  'sessionId' in ended ? deletePushDevicesOfSession(em, accountId, ended.sessionId) : deletePushDevicesOf(em, accountId, ended.except);

/** Deletes the browsers of an account that is being closed. */
export const forgetPush = ({ em }: PushContext, accountId: string): Promise<void> => deletePushDevicesOf(em, accountId);
