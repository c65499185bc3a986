// How the protocol looks as JSON: what a node may send, checked, and plans with their fingerprints as hexadecimal text.
import { z } from 'zod';
import { cleanText } from '#platform/clean-text.ts';
import { DAY } from '#platform/clock.ts';
import {
  MAX_STATUS_EXITS,
  type EdgeStatus,
  MAX_USERNAMES,
  type PlanFacts,
  type SessionClaim,
  type StaticPlanFacts,
  type SyncRequest,
} from './control-plane.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const word = z.string().max(255).transform(cleanText);
const part = z.object({ country: word, session: word.nullable(), host: word, client: word, up: count, down: count });

export const SYNC_MESSAGE = z.object({
  reports: z.array(z.object({ lease: z.string().regex(/^\d{1,18}$/), parts: z.array(part).max(100_000), final: z.boolean() })).max(10_000),
  oldPasswords: z
    .array(z.object({ planId: z.string().max(64), client: z.string().max(64), tries: z.number().int().min(1).max(1_000_000) }))
    .max(1_000)
    .optional(),
  wants: z.array(z.object({ planId: z.string().max(64), epoch: z.number().int(), bytes: count, starved: z.boolean() })).max(10_000),
}) satisfies z.ZodType<SyncRequest>;

export const USERNAMES_MESSAGE = z.object({ usernames: z.array(word).max(MAX_USERNAMES) });

export const CLAIMS_MESSAGE = z
  .array(
    z.object({
      key: z.string().min(1).max(512),
      exitId: word,
      life: z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1),
      lifetimeMs: z.number().min(0).max(DAY),
      lost: word.optional(),
    }),
  )
  .max(1_000)
  .refine((claims) => new Set(claims.map(({ key }) => key)).size === claims.length) satisfies z.ZodType<SessionClaim[]>;

const exit = z.object({
  id: word,
  kind: word,
  country: word,
  state: word.optional(),
  city: word.optional(),
  carrier: word.optional(),
  products: z.array(word).max(16),
  healthy: z.boolean(),
  connections: count,
  capacity: count.optional(),
  opened: count,
  faults: count,
});

export const STATUS_MESSAGE = z.object({
  version: word,
  uptimeMs: count,
  endpoints: z.array(word).max(1_000),
  connections: count,
  tunnels: count,
  plans: count,
  sessions: count,
  upBytes: count,
  downBytes: count,
  ledgerFailures: count,
  staticLines: count,
  refusals: z.record(z.string().max(64), count),
  exitCount: count,
  healthyExitCount: count,
  exits: z.array(exit).max(MAX_STATUS_EXITS),
}) satisfies z.ZodType<EdgeStatus>;

/** A line of the feed; one without members is a beat. */
export interface FeedMessage {
  planId?: string;
  epoch?: number;
  staticPlan?: string;
}

interface Fingerprints {
  fingerprint: Buffer;
  oldFingerprints?: readonly Buffer[] | undefined;
}

/** A plan as it travels. */
export type Message<Facts extends Fingerprints> = Omit<Facts, keyof Fingerprints> & { fingerprint: string; oldFingerprints: string[] };
export type PlanMessage = Message<PlanFacts>;
export type StaticPlanMessage = Message<StaticPlanFacts>;

const toHex = (bytes: Buffer): string => bytes.toString('hex');
const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

export const toMessage = <Facts extends Fingerprints>(facts: Facts): Message<Facts> => ({
  ...facts,
  fingerprint: toHex(facts.fingerprint),
  oldFingerprints: (facts.oldFingerprints ?? []).map(toHex),
});

/** Members that this node does not know are left as they are: a platform may be newer than its nodes. */
export const toPlanFacts = (message: PlanMessage): PlanFacts => ({
  ...message,
  fingerprint: fromHex(message.fingerprint),
  oldFingerprints: message.oldFingerprints.map(fromHex),
});

export const toStaticPlanFacts = (message: StaticPlanMessage): StaticPlanFacts => ({
  ...message,
  fingerprint: fromHex(message.fingerprint),
  oldFingerprints: message.oldFingerprints.map(fromHex),
});
