// When an address counts as failing, and when a round of checks is not trusted. Spec is silent on all of it.
import { MINUTE } from '#platform/clock.ts';
import { AUTO_REPLACE_AFTER_MINUTES } from '../../../../schema/limits.ts';

/** The time between two checks of an address that works. */
export const CHECK_EVERY_MS = 10 * MINUTE;
/** The time until the next check of an address that has just failed. */
export const RECHECK_MS = MINUTE;
/** So many failed checks in a row make an outage, which began with the first of them. */
export const FAILURES_OF_AN_OUTAGE = 3;
/** After an outage of this length the address is replaced, if the owner wants that. */
export const AUTO_REPLACE_AFTER_MS = AUTO_REPLACE_AFTER_MINUTES * MINUTE;
/** How many days of history are kept and shown. */
export const HISTORY_DAYS = 30;

export type HealthProblem = 'UNREACHABLE' | 'REFUSED' | 'WRONG_EXIT' | 'TOO_SLOW';
/** What is wrong with the port of an address where customers speak TLS to the proxy. It is its node's matter: no outage, and no reason to exchange the address. */
export const HTTPS_PROBLEMS = ['UNREACHABLE', 'CERTIFICATE', 'REFUSED', 'WRONG_EXIT', 'TOO_SLOW'] as const;
export type HttpsProblem = (typeof HTTPS_PROBLEMS)[number];
/** A line that is slower than this counts as failing. */
export const TOO_SLOW_MS = 10_000;

export type CheckResult = { ok: true; latencyMs: number } | { ok: false; problem: HealthProblem };

const ROUND_MIN = 10;

/**
 * Whether so many addresses begin to fail in one round that the fault is more likely ours, or our network's; their failures are then not recorded. `broke`:
 * those of `checked` that worked at their last check and fail now.
 */
export const isOurFault = ({ checked, broke }: { checked: number; broke: number }): boolean => checked >= ROUND_MIN && broke * 2 > checked;

/** The promise: an address works for at least 99.5 % of a period. */
export const SLA_BASIS_POINTS = 9_950;

/** The downtime of one address in a period that is within the promise. */
export const allowedDowntimeMs = (periodMs: number): number => Math.floor((periodMs * (10_000 - SLA_BASIS_POINTS)) / 10_000);
