// Browsers that an account knows, which is evidence that its owner, or somebody who reads its mail, uses them. Such a browser is slowed by its own failures
// only.
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
/** Spec is silent: the most devices of an account; the oldest are forgotten. */
const MAX_DEVICES = 50;
/** Spec is silent: how long a link by mail stands for a device. */
export const DEVICE_LINK_HOURS = 2;

/** The gateway sends the cookies of one browser: that of the device and that of a link. Further ones are ignored. */
const MAX_TOKENS = 2;
const TOKEN = /^[\w-]{43}$/;

const hashesOf = (tokens: readonly string[] | null | undefined): string[] =>
  (tokens ?? [])
    .slice(0, MAX_TOKENS)
    .filter((token) => TOKEN.test(token))
    .map(hashToken);

export type DeviceTokens = readonly string[] | null | undefined;

/** The name by which tries of a known device are counted: one that this account knows, or without an account one that any account knows. */
export async function knownDevice({ em, clock }: IdentityContext, tokens: DeviceTokens, accountId?: string): Promise<string | undefined> {
  const hashes = hashesOf(tokens);
  if (hashes.length === 0) return undefined;
  const known = await devicesWithTokens(em.fork(), hashes, clock.now());
  return known.find((device) => accountId === undefined || device.accountId === accountId)?.tokenHash;
}

type Guarded = 'log_in' | 'second_factor';

/** What a try of this visitor with this name is counted as: from a known device by the device, otherwise by network, by site and by name. */
export function triesOf(ctx: IdentityContext, kind: Guarded, name: string, device: string | undefined): Try[] {
  if (device !== undefined) return [{ kind: `${kind}_device`, name: `${device} ${name}` }];
  const group = addressGroup(ctx.viewer.address);
  return [...networksOf(ctx, kind), { kind: `${kind}_name`, name }, { kind, name: `${group} ${name}` }];
}

/** The counts of a visitor's networks. The site of an IPv4 address is the address itself, and is counted once. */
export function networksOf(ctx: IdentityContext, kind: Guarded | 'start' | 'mail' | 'set_up' | 'app'): Try[] {
  const [group, site] = [addressGroup(ctx.viewer.address), addressSite(ctx.viewer.address)];
  return [{ kind: `${kind}_group`, name: group }, ...(site === group ? [] : [{ kind: `${kind}_site`, name: site } as const])];
}

/** What the start of a log-in by passkey or chat is counted as, where there is nothing to guess. */
export const startsOf = (ctx: IdentityContext, device: string | undefined): Try[] =>
  device === undefined ? networksOf(ctx, 'start') : [{ kind: 'start_device', name: device }];

/** The visitor's place in the queue for hashing: a known device has one of its own, strangers one per network. */
export const waiterOf = (ctx: IdentityContext, device: string | undefined): Waiter => ({
  who: device ?? addressGroup(ctx.viewer.address),
  proven: device !== undefined,
});

/** The hash of the visitor's network, as it is stored with a sign-up. */
export const networkHash = (ctx: IdentityContext): string => hashToken(addressGroup(ctx.viewer.address));

/**
 * Makes the browser known to the account, by a new token, so that a token that somebody may have planted in it before is worthless. In the caller's
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
  // The other accounts of this browser still know it, by the new token.
  const others = await devicesOfOthers(em, old, accountId, now);
  await deleteDevicesWithTokens(em, old);
  const rows = new Map(others.map((other) => [other.accountId, { ...pick(other), tokenHash }]));
  rows.set(accountId, { tokenHash, accountId, sessionId, createdAt: now, expiresAt });
  await insertDevices(em, [...rows.values()]);
  await deleteOldestDevices(em, accountId, MAX_DEVICES);
  return { token, expiresAt };
}

const pick = ({ accountId, sessionId, createdAt, expiresAt }: KnownDevice) => ({ accountId, sessionId, createdAt, expiresAt });

/** Makes a mailed token stand for a known device: whoever has it has read the account's mail. In the caller's transaction. */
export async function trustMailedToken({ em, clock }: IdentityContext, accountId: string, token: string): Promise<void> {
  const now = clock.now();
  const expiresAt = after(now, DEVICE_LINK_HOURS * HOUR);
  await insertDevices(em, [{ tokenHash: hashToken(token), accountId, sessionId: null, createdAt: now, expiresAt }]);
}
