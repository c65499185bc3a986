import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A browser that shows notifications of an account. */
export const PushDevice = defineEntity({
  name: 'PushDevice',
  tableName: 'push_device',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    sessionId: p.string(),
    endpointDigest: p.string(),
    sealed: p.blob().$type<Buffer>(),
    name: p.string(),
    createdAt: p.datetime(),
    lastDeliveredAt: p.datetime().nullable(),
    refusedAt: p.datetime().nullable(),
    refusal: p.string().nullable(),
  }),
});
export type PushDevice = InferEntity<typeof PushDevice>;

export const devicesOfAccount = (em: EntityManager, accountId: string): Promise<PushDevice[]> =>
  em.find(PushDevice, { accountId }, { orderBy: { id: 'asc' } });

export const deviceWithId = (em: EntityManager, id: string): Promise<PushDevice | null> => em.findOne(PushDevice, { id });

/** A browser of an account, locked until the end of the transaction. */
export const lockDevice = (em: EntityManager, id: string, accountId: string): Promise<PushDevice | null> =>
  em.findOne(PushDevice, { id, accountId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

export const countDevices = (em: EntityManager, accountId: string): Promise<number> => em.count(PushDevice, { accountId });

export async function insertDevice(
  em: EntityManager,
  device: Omit<PushDevice, 'lastDeliveredAt' | 'refusedAt' | 'refusal'>,
): Promise<void> {
  await em.insert(PushDevice, { ...device, lastDeliveredAt: null, refusedAt: null, refusal: null });
}

/** Says in which session a browser is known from now on; false: it is not one of this account's. */
export const moveDevice = async (em: EntityManager, accountId: string, endpointDigest: string, sessionId: string): Promise<boolean> =>
  (await em.nativeUpdate(PushDevice, { accountId, endpointDigest }, { sessionId })) === 1;

/** Gives a browser another subscription: what waits for it goes there. */
export async function renewDevice(
  em: EntityManager,
  id: string,
  given: Pick<PushDevice, 'endpointDigest' | 'sealed' | 'sessionId'>,
): Promise<void> {
  await em.nativeUpdate(PushDevice, { id }, { ...given, refusedAt: null, refusal: null });
}

export const deviceWithDigest = (em: EntityManager, accountId: string, endpointDigest: string): Promise<PushDevice | null> =>
  em.findOne(PushDevice, { accountId, endpointDigest }, { refresh: true });

export async function noteDelivered(em: EntityManager, id: string, now: Date): Promise<void> {
  await em.nativeUpdate(PushDevice, { id }, { lastDeliveredAt: now, refusedAt: null, refusal: null });
}

export async function noteRefused(em: EntityManager, id: string, refusal: string, now: Date): Promise<void> {
  await em.nativeUpdate(PushDevice, { id }, { refusedAt: now, refusal });
}

export const deleteDevice = async (em: EntityManager, id: string): Promise<boolean> => (await em.nativeDelete(PushDevice, { id })) === 1;

/** The subscription belongs to whoever is signed in now. */
export async function deleteDeviceWithDigest(em: EntityManager, endpointDigest: string): Promise<void> {
  await em.nativeDelete(PushDevice, { endpointDigest });
}

/** Deletes the browsers of an account; `except` is the id of a session whose browser stays. */
export async function deletePushDevicesOf(em: EntityManager, accountId: string, except?: string): Promise<void> {
  await em.nativeDelete(PushDevice, { accountId, ...(except !== undefined && { sessionId: { $ne: except } }) });
}

export async function deletePushDevicesOfSession(em: EntityManager, accountId: string, sessionId: string): Promise<void> {
  await em.nativeDelete(PushDevice, { accountId, sessionId });
}

/** Browsers, of all accounts, whose push service has refused the last message. */
export const countRefusedDevices = (em: EntityManager): Promise<number> => em.count(PushDevice, { refusedAt: { $ne: null } });
