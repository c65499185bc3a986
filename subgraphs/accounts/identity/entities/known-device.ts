import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const KnownDevice = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_device',
  properties: (p) => ({
    tokenHash: p.string().primary(),
    accountId: p.string().primary(),
    sessionId: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  }),
});
export type KnownDevice = InferEntity<typeof KnownDevice>;

/** The devices with these tokens, of all accounts, that have not expired. */
export const devicesWithTokens = (em: EntityManager, tokenHashes: string[], now: Date): Promise<KnownDevice[]> =>
  em.find(KnownDevice, { tokenHash: { $in: tokenHashes }, expiresAt: { $gt: now } });

/** The same, but only of other accounts, and only where somebody has logged in by the token. */
export const devicesOfOthers = (em: EntityManager, tokenHashes: string[], accountId: string, now: Date): Promise<KnownDevice[]> =>
  em.find(KnownDevice, {
    tokenHash: { $in: tokenHashes },
    accountId: { $ne: accountId },
    sessionId: { $ne: null },
    expiresAt: { $gt: now },
  });

export async function insertDevices(em: EntityManager, devices: KnownDevice[]): Promise<void> {
  await em.insertMany(KnownDevice, devices);
}

/** Deletes the devices with these tokens, of all accounts. */
export async function deleteDevicesWithTokens(em: EntityManager, tokenHashes: string[]): Promise<void> {
  await em.nativeDelete(KnownDevice, { tokenHash: { $in: tokenHashes } });
}

/** Keeps the newest `max` devices of an account, and deletes up to `max` older ones. */
export async function deleteOldestDevices(em: EntityManager, accountId: string, max: number): Promise<void> {
  const oldest = await em.find(KnownDevice, { accountId }, { orderBy: { createdAt: 'desc' }, offset: max, limit: max });
  await em.nativeDelete(KnownDevice, { accountId, tokenHash: { $in: oldest.map((device) => device.tokenHash) } });
}

/** Deletes all devices of an account; `except` is the id of a session whose device stays. */
export async function deleteDevicesOf(em: EntityManager, accountId: string, except?: string): Promise<void> {
  await em.nativeDelete(KnownDevice, {
    accountId,
    ...(except !== undefined && { $or: [{ sessionId: null }, { sessionId: { $ne: except } }] }),
  });
}

export async function deleteDeviceOfSession(em: EntityManager, accountId: string, sessionId: string): Promise<void> {
  await em.nativeDelete(KnownDevice, { accountId, sessionId });
}

/** Whether a link that was mailed since then has not been used for a log-in yet. */
export const isDeviceLinkWaiting = async (em: EntityManager, accountId: string, since: Date): Promise<boolean> =>
  (await em.count(KnownDevice, { accountId, sessionId: null, createdAt: { $gt: since } })) > 0;

export async function forgetDevices(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(KnownDevice, { expiresAt: { $lte: until } });
}
