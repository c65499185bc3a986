// When an address counts as failing, and what a round of checks may be trusted for. Spec is silent on all of it.
import { MINUTE } from '#platform/clock.ts';
import { AUTO_REPLACE_AFTER_MINUTES } from '../../../../schema/limits.ts';

/** Between two checks of an address that works. */
export const CHECK_EVERY_MS = 10 * MINUTE;
/** One that has just failed is looked at sooner. */
export const RECHECK_MS = MINUTE;
/** So many in a row make an outage, which began with the first. */
export const FAILURES_OF_AN_OUTAGE = 3;
/** An outage of so long is ended by another address, where the owner has asked for that. */
export const AUTO_REPLACE_AFTER_MS = AUTO_REPLACE_AFTER_MINUTES * MINUTE;
/** Days of history that are kept and shown. */
export const HISTORY_DAYS = 30;

export type HealthProblem = 'UNREACHABLE' | 'REFUSED' | 'WRONG_EXIT' | 'TOO_SLOW';
/** Slower than this is as good as broken. */
export const TOO_SLOW_MS = 10_000;

export type CheckResult = { ok: true; latencyMs: number } | { ok: false; problem: HealthProblem };

const ROUND_MIN = 10;

/**
 * Whether so many addresses that worked a moment ago fail in one round that the fault is likelier ours, or our network's, than theirs: then nobody is
 * blamed. `broke`: of `checked`, those that worked at their last check and fail now.
 */
export const isOurFault = ({ checked, broke }: { checked: number; broke: number }): boolean => checked >= ROUND_MIN && broke * 2 > checked;

/** What is promised: an address works for at least 99.5 % of a period. */
export const SLA_BASIS_POINTS = 9_950;

/** Downtime of one address in a period that is within the promise. */
export const allowedDowntimeMs = (periodMs: number): number => Math.floor((periodMs * (10_000 - SLA_BASIS_POINTS)) / 10_000);
