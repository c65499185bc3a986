// Browsers that an account knows: proof that its owner, or who reads its mail, is at the keyboard. Such a browser is slowed by its own failures only.
import { DAY, HOUR, after } from '#platform/clock.ts';
import { addressGroup, addressSite } from '#platform/address-group.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import {
  type KnownDevice,
  deleteDevicesWithTokens,
  deleteOldestDevices,
  devicesOfOthers,
  devicesWithTokens,
  insertDevices,
} from '../entities/known-device.ts';
import type { IdentityContext } from '../context.ts';
import type { Try } from '../providers/attempts.ts';
import type { Waiter } from '../providers/hash-queue.ts';

/** Spec is silent: how long a browser is known after its last log-in. */
const KNOWN_MS = 180 * DAY;
/** Spec is silent: of one account; the oldest are forgotten. */
const MAX_DEVICES = 50;
/** Spec is silent: how long a link by mail stands for a device. */
export const DEVICE_LINK_HOURS = 2;

/** What the gateway reads from the cookies of one browser: the device's, and that of a link. More than that is not looked at. */
const MAX_TOKENS = 2;
const TOKEN = /^[\w-]{43}$/;

const hashesOf = (tokens: readonly string[] | null | undefined): string[] =>
  (tokens ?? [])
    .slice(0, MAX_TOKENS)
    .filter((token) => TOKEN.test(token))
    .map(hashToken);

export type DeviceTokens = readonly string[] | null | undefined;

/** The device's name for counting where the account knows it; without an account, where any account does. */
export async function knownDevice({ em, clock }: IdentityContext, tokens: DeviceTokens, accountId?: string): Promise<string | undefined> {
  const hashes = hashesOf(tokens);
  if (hashes.length === 0) return undefined;
  const known = await devicesWithTokens(em.fork(), hashes, clock.now());
  return known.find((device) => accountId === undefined || device.accountId === accountId)?.tokenHash;
}

type Guarded = 'log_in' | 'second_factor';

/** What a try of this visitor with this name is counted as: a known device by itself, everybody else by network, site and name. */
export function triesOf(ctx: IdentityContext, kind: Guarded, name: string, device: string | undefined): Try[] {
  if (device !== undefined) return [{ kind: `${kind}_device`, name: `${device} ${name}` }];
  const group = addressGroup(ctx.viewer.address);
  return [...networksOf(ctx, kind), { kind: `${kind}_name`, name }, { kind, name: `${group} ${name}` }];
}

/** The networks that a visitor comes from: the site of an IPv4 address is the address itself, and counts once. */
export function networksOf(ctx: IdentityContext, kind: Guarded | 'start' | 'mail' | 'set_up'): Try[] {
  const [group, site] = [addressGroup(ctx.viewer.address), addressSite(ctx.viewer.address)];
  return [{ kind: `${kind}_group`, name: group }, ...(site === group ? [] : [{ kind: `${kind}_site`, name: site } as const])];
}

/** What a way in that is begun, and has nothing to guess, is counted as. */
export const startsOf = (ctx: IdentityContext, device: string | undefined): Try[] =>
  device === undefined ? networksOf(ctx, 'start') : [{ kind: 'start_device', name: device }];

/** Who waits where hashes queue: nobody's flood keeps a known device waiting, nor another network. */
export const waiterOf = (ctx: IdentityContext, device: string | undefined): Waiter => ({
  who: device ?? addressGroup(ctx.viewer.address),
  proven: device !== undefined,
});

/** The visitor's network as it is kept with a sign-up. */
export const networkHash = (ctx: IdentityContext): string => hashToken(addressGroup(ctx.viewer.address));

/**
 * The browser is known to the account from now on, by a new token: what somebody may have planted in it before is worth nothing. In the caller's
 * transaction.
 */
export async function rememberDevice(
  ctx: IdentityContext,
  { accountId, sessionId, tokens }: { accountId: string; sessionId: string; tokens: DeviceTokens },
) {
  const { em, clock } = ctx;
  const now = clock.now();
  const token = newToken();
  const tokenHash = hashToken(token);
  const expiresAt = after(now, KNOWN_MS);
  const old = hashesOf(tokens);
  // The other accounts of this browser go on knowing it.
  const others = await devicesOfOthers(em, old, accountId, now);
  await deleteDevicesWithTokens(em, old);
  const rows = new Map(others.map((other) => [other.accountId, { ...pick(other), tokenHash }]));
  rows.set(accountId, { tokenHash, accountId, sessionId, createdAt: now, expiresAt });
  await insertDevices(em, [...rows.values()]);
  await deleteOldestDevices(em, accountId, MAX_DEVICES);
  return { token, expiresAt };
}

const pick = ({ accountId, sessionId, createdAt, expiresAt }: KnownDevice) => ({ accountId, sessionId, createdAt, expiresAt });

/** Whoever shows this token has read the account's mail. In the caller's transaction. */
export async function trustMailedToken({ em, clock }: IdentityContext, accountId: string, token: string): Promise<void> {
  const now = clock.now();
  const expiresAt = after(now, DEVICE_LINK_HOURS * HOUR);
  await insertDevices(em, [{ tokenHash: hashToken(token), accountId, sessionId: null, createdAt: now, expiresAt }]);
}
