import { record } from '../../identity/services/activity.ts';
import type { PushContext } from '../context.ts';
import { type PushDevice, deleteDevice } from '../entities/push-device.ts';

/** Deletes a browser, in the caller's transaction, and says so. What waits for it is dropped when it is due. */
export async function dropDevice(tx: PushContext, { id, accountId, name }: PushDevice): Promise<void> {
  if (await deleteDevice(tx.em, id)) await record(tx, { type: 'push_device.removed', accountId, subject: id, data: { name } });
}
