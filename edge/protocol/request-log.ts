// What a node tells of single requests, for plans whose owner has chosen to keep a log of them. Nothing is metered by it.
import { z } from 'zod';
import { cleanText } from '#platform/clean-text.ts';

/** SAMPLED: every request that failed, and a share of the others. */
export const REQUEST_LOG_MODES = ['OFF', 'SAMPLED', 'WHOLE'] as const;
export type RequestLogMode = (typeof REQUEST_LOG_MODES)[number];

/** The most requests of one batch, and plans that it names gaps of. */
export const MAX_LOGGED_REQUESTS = 1_000;

/** A request that is over. It says where it went, never what for: no path, no header, no content. */
export interface LoggedRequest {
  /** A plan, or a proxy user of it: `subject.ts`. */
  subject: string;
  /** When it was over, Unix milliseconds. */
  at: number;
  durationMs: number;
  /** Empty, with port 0: it named no target, or it was an association for datagrams. */
  host: string;
  port: number;
  /** What the customer was answered; null: it left before. */
  status: number | null;
  up: number;
  down: number;
  /** Where it left from, or was to; empty: not known. */
  country: string;
  state?: string | undefined;
  city?: string | undefined;
  session?: string | undefined;
  /** A code of the catalogue; absent: it went well. */
  error?: string | undefined;
}

/** Requests of a subject that were dropped, since the node had no room for them. */
export interface LogGap {
  subject: string;
  requests: number;
}

/** A batch that is sent again has the same id, and counts once. */
export interface RequestBatch {
  id: string;
  requests: readonly LoggedRequest[];
  gaps: readonly LogGap[];
}

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const word = z.string().max(255).transform(cleanText);

export const REQUESTS_MESSAGE = z.object({
  id: z.string().min(1).max(64).transform(cleanText),
  requests: z
    .array(
      z.object({
        subject: word,
        at: count,
        durationMs: count,
        host: word,
        port: z.number().int().min(0).max(65_535),
        status: z.number().int().min(100).max(999).nullable(),
        up: count,
        down: count,
        country: word,
        state: word.optional(),
        city: word.optional(),
        session: word.optional(),
        error: word.optional(),
      }),
    )
    .max(MAX_LOGGED_REQUESTS),
  gaps: z.array(z.object({ subject: word, requests: z.number().int().min(1).max(1_000_000_000) })).max(MAX_LOGGED_REQUESTS),
}) satisfies z.ZodType<RequestBatch>;

export const REQUESTS_ANSWER = z.object({});
