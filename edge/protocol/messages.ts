// The messages of the protocol as JSON, in both directions. Fingerprints are sent as hexadecimal text.
import { z } from 'zod';
import { cleanText } from '#platform/clean-text.ts';
import { DAY } from '#platform/clock.ts';
import {
  type ClaimedSession,
  MAX_GRACE_MS,
  MAX_STATUS_EXITS,
  MAX_STATUS_PLACES,
  type EdgeStatus,
  MAX_USERNAMES,
  type PlanFacts,
  type SessionClaim,
  type SyncAnswer,
  type SyncRequest,
} from './control-plane.ts';
import { listedNetworkShape } from './client-network.ts';
import type { EdgePass } from './passes.ts';
import { FIRST_BYTE_BOUNDS_MS, MAX_STATUS_PLACE_QUALITIES } from './place-quality.ts';
import { PRODUCT_CODES } from './product.ts';
import type { StaticPlanFacts } from './static-plan.ts';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const word = z.string().max(255).transform(cleanText);
const exitShare = z.object({ id: word, address: word.optional(), up: count, down: count });
const part = z.object({
  country: word,
  session: word.nullable(),
  host: word,
  client: word,
  up: count,
  down: count,
  exits: z.array(exitShare).max(100_000).optional(),
});

export const SYNC_MESSAGE = z.object({
  reports: z.array(z.object({ lease: z.string().regex(/^\d{1,18}$/), parts: z.array(part).max(100_000), final: z.boolean() })).max(10_000),
  oldPasswords: z
    .array(z.object({ planId: z.string().max(64), client: z.string().max(64), tries: z.number().int().min(1).max(1_000_000) }))
    .max(1_000)
    .optional(),
  graceMs: z.number().int().min(0).max(MAX_GRACE_MS).optional(),
  wants: z.array(z.object({ planId: z.string().max(64), epoch: z.number().int(), bytes: count, starved: z.boolean() })).max(10_000),
}) satisfies z.ZodType<SyncRequest>;

export const USERNAMES_MESSAGE = z.object({ usernames: z.array(word).max(MAX_USERNAMES) });

export const CLAIMS_MESSAGE = z
  .array(
    z.object({
      key: z.string().min(1).max(512),
      exitId: word,
      spareId: word.optional(),
      after: z.string().min(1).max(512).optional(),
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
  address: word.optional(),
  country: word,
  state: word.optional(),
  city: word.optional(),
  carrier: word.optional(),
  asn: count.optional(),
  products: z.array(word).max(16),
  healthy: z.boolean(),
  connections: count,
  capacity: count.optional(),
  opened: count,
  faults: count,
  trouble: word.optional(),
  places: z
    .array(z.object({ place: word, opened: count, faults: count, misplaced: count, out: z.boolean() }))
    .max(MAX_STATUS_PLACES)
    .optional(),
});

const quality = z.object({
  product: z.enum(PRODUCT_CODES),
  country: word,
  state: word.optional(),
  city: word.optional(),
  opened: count,
  failed: count,
  firstBytes: z.array(count).length(FIRST_BYTE_BOUNDS_MS.length + 1),
});

/** The most networks in one report. */
export const MAX_NETWORKS_USED = 5_000;

/** Networks of static plans that were in use. */
export const STATIC_NETWORKS_MESSAGE = z.object({ used: z.array(word).max(MAX_NETWORKS_USED) });
export const STATIC_NETWORKS_ANSWER = z.object({});

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
  networksUsed: z.array(word).max(MAX_NETWORKS_USED).optional(),
  // A node of another release may count differently: then it says nothing.
  qualities: z.array(quality).max(MAX_STATUS_PLACE_QUALITIES).optional().catch(undefined),
}) satisfies z.ZodType<EdgeStatus>;

const toHex = (bytes: Buffer): string => bytes.toString('hex');
const fingerprint = z
  .string()
  .regex(/^(?:[0-9a-f]{2})+$/)
  .transform((hex) => Buffer.from(hex, 'hex'));

interface Fingerprints {
  fingerprint: Buffer;
  oldFingerprints?: readonly Buffer[] | undefined;
}

/** A plan as JSON; PLAN_ANSWER and STATIC_PLANS_ANSWER parse it. */
export const toMessage = <Facts extends Fingerprints>(facts: Facts) => ({
  ...facts,
  fingerprint: toHex(facts.fingerprint),
  oldFingerprints: (facts.oldFingerprints ?? []).map(toHex),
});

// Answers of the platform. Unknown members are dropped: a platform may be newer than its nodes.

export const PLAN_ANSWER = z
  .object({
    planId: z.string(),
    username: z.string(),
    epoch: z.number(),
    fingerprint,
    oldFingerprints: z.array(fingerprint),
    product: z.enum(PRODUCT_CODES),
    sessionMinutes: z.array(z.number()),
    status: z.enum(['ACTIVE', 'PAUSED', 'EXPIRED']),
    suspended: z.boolean().optional(),
    retryAfterSeconds: z.number().optional(),
    rules: z
      .object({
        countries: z.array(z.string()).optional(),
        targets: z.array(z.string()).optional(),
        clients: z.array(z.string()).optional(),
        networks: z.array(listedNetworkShape).optional(),
      })
      .optional(),
    stop: z.enum(['paused', 'limit', 'used_up']).optional(),
    // One that this node does not know is none: of such a plan nothing is told.
    requestLog: z.enum(['SAMPLED', 'WHOLE']).optional().catch(undefined),
    sessionRenewals: z.number().optional(),
  })
  .nullable() satisfies z.ZodType<PlanFacts | null>;

/** In the order of the usernames. Each plan is parsed separately, so that one that is not understood does not spoil the others. */
export const PLANS_ANSWER = z.array(z.unknown());

export const STATIC_PLANS_ANSWER = z.array(
  z.object({
    planId: z.string(),
    username: z.string(),
    fingerprint,
    oldFingerprints: z.array(fingerprint),
    open: z.boolean(),
    suspended: z.boolean().optional(),
    allowedClients: z.array(z.string()),
    networksAndPassword: z.boolean().optional(),
    endpoints: z.array(
      z.object({
        address: z.string(),
        port: z.number(),
        securePort: z.number().optional(),
        networks: z.array(listedNetworkShape).optional(),
      }),
    ),
  }),
) satisfies z.ZodType<StaticPlanFacts[]>;

export const SYNC_ANSWER = z.object({
  renewed: z.array(z.object({ lease: z.string(), validMs: z.number() })),
  grants: z.array(
    z.object({
      planId: z.string(),
      // An outcome that this node does not know counts as `wait`: it asks again.
      outcome: z
        .enum(['granted', 'wait', 'used_up', 'daily_limit', 'revoked', 'suspended', 'user_limit', 'user_used_up', 'user_paused', 'unknown'])
        .catch('wait'),
      lease: z.string().optional(),
      bytes: z.number(),
      validMs: z.number(),
    }),
  ),
}) satisfies z.ZodType<SyncAnswer>;

/** Each gateway is parsed separately, so that one that is not understood does not spoil the others. */
export const GATEWAYS_ANSWER = z.array(z.unknown());

export const CLAIMS_ANSWER = z.array(z.object({ exitId: z.string(), life: z.number(), leftMs: z.number() })) satisfies z.ZodType<
  ClaimedSession[]
>;

export const STATUS_ANSWER = z.object({ draining: z.boolean() });

export const PASS_ANSWER = z.object({ pass: z.string(), validMs: z.number() }) satisfies z.ZodType<EdgePass>;

/** A line of the feed; one without members is only a beat. */
export const FEED_LINE = z.object({
  planId: z.string().optional(),
  epoch: z.number().optional(),
  staticPlan: z.string().optional(),
  gateways: z.boolean().optional(),
  networks: z.boolean().optional(),
});
export type FeedMessage = z.output<typeof FEED_LINE>;
