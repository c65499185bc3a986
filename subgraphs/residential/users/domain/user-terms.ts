// Reads and checks what an owner sets of a proxy user.
import { isIP } from 'node:net';
import { toClientNetworks } from '#platform/client-networks.ts';
import { MB } from '#platform/data-size.ts';
import { because, fail } from '#platform/errors.ts';
import type { LineRules } from '../../../../edge/protocol/control-plane.ts';
import { findPool, poolsLike } from '../../../../edge/protocol/pools.ts';
import type { UserLimits } from './proxy-user.ts';

/** Spec is silent on all of these. */
export const USER_TERMS = { namesMax: 100, countriesMax: 100, targetsMax: 200, clientsMax: 100 } as const;

/** Members that are left out stay as they are; null removes a limit or a rule. */
export interface UserTermsInput {
  name?: string | null | undefined;
  paused?: boolean | null | undefined;
  dailyLimitBytes?: bigint | null | undefined;
  monthlyLimitBytes?: bigint | null | undefined;
  totalLimitBytes?: bigint | null | undefined;
  countries?: readonly string[] | null | undefined;
  targets?: readonly string[] | null | undefined;
  clients?: readonly string[] | null | undefined;
}

export interface UserTerms {
  name: string;
  paused: boolean;
  limits: UserLimits;
  rules: LineRules;
}

/** Throws `parameter_invalid`, `pool_unknown`. */
export function changedTerms(before: UserTerms, given: UserTermsInput): UserTerms {
  const limit = (field: 'dailyLimitBytes' | 'monthlyLimitBytes' | 'totalLimitBytes', stands: bigint | null) => {
    const bytes = given[field];
    if (bytes === undefined) return stands;
    if (bytes !== null && bytes < MB) throw fail('parameter_invalid', { field, reason: because('user_limit_too_low') });
    return bytes;
  };
  const list = (name: keyof LineRules, read: (words: readonly string[]) => string[]) => {
    const words = given[name];
    if (words === undefined) return before.rules[name];
    return words === null || words.length === 0 ? undefined : read(words);
  };
  const countries = list('countries', toCountries);
  const targets = list('targets', toTargets);
  const clients = list('clients', (words) => toClientNetworks(words, 'clients', USER_TERMS.clientsMax));
  return {
    name: given.name == null ? before.name : toName(given.name),
    paused: given.paused ?? before.paused,
    limits: {
      daily: limit('dailyLimitBytes', before.limits.daily),
      monthly: limit('monthlyLimitBytes', before.limits.monthly),
      total: limit('totalLimitBytes', before.limits.total),
    },
    rules: { ...(countries && { countries }), ...(targets && { targets }), ...(clients && { clients }) },
  };
}

export const NO_TERMS: UserTerms = { name: '', paused: false, limits: { daily: null, monthly: null, total: null }, rules: {} };

function toName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > USER_TERMS.namesMax || /[\p{Cc}\p{Cs}]/u.test(name))
    throw fail('parameter_invalid', { field: 'name', reason: because('user_name_unfit', { max: USER_TERMS.namesMax }) });
  return name;
}

function toCountries(words: readonly string[]): string[] {
  requireAtMost(words, 'countries', USER_TERMS.countriesMax);
  return [
    ...new Set(
      words.map((word) => {
        const pool = findPool(word);
        if (!pool) throw fail('pool_unknown', { field: 'countries', allowed: poolsLike(word) });
        return pool.code;
      }),
    ),
  ];
}

/** A host name, which stands for all names below it too. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function toTargets(words: readonly string[]): string[] {
  requireAtMost(words, 'targets', USER_TERMS.targetsMax);
  return [
    ...new Set(
      words.map((word) => {
        const host = word
          .trim()
          .toLowerCase()
          .replace(/^(\*?\.)/, '')
          .replace(/\.$/, '');
        if (isIP(host) === 0 && !HOST.test(host))
          throw fail('parameter_invalid', { field: 'targets', reason: because('user_target_unfit', { host: word }) });
        return host;
      }),
    ),
  ];
}

function requireAtMost(words: readonly string[], field: string, max: number): void {
  if (words.length > max) throw fail('parameter_invalid', { field, reason: because('list_too_long', { name: field, max }) });
}
