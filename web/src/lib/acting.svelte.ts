// As which member of a team the reader acts, once it is known. This browser keeps a copy, so that a page asks from the start only for what the role may read.
import type { ResultOf } from './graphql.ts';
import type { Me } from './ops/account.ts';

type Member = NonNullable<NonNullable<ResultOf<typeof Me>['me']>['acting']>;
export type TeamRole = Member['role'];
export type TeamPermission = Member['permissions'][number];

export interface Acting {
  /** The name of the team. */
  team: string;
  role: TeamRole;
  permissions: readonly TeamPermission[];
  /** Whether the member has access to some plans, users and servers alone. */
  isLimited: boolean;
}

/** Where this browser keeps its copy, until the sign-out. */
export const ACTING_KEY = 'acting';

function kept(): Acting | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(ACTING_KEY) ?? 'null');
    return typeof value === 'object' && value !== null && 'permissions' in value && Array.isArray(value.permissions)
      ? (value as Acting)
      : undefined;
  } catch {
    return undefined;
  }
}

let now = $state.raw<Acting | undefined>(kept());

export const acting = {
  /** Undefined: in an account of their own. */
  get now() {
    return now;
  },
  set now(value: Acting | undefined) {
    if (JSON.stringify(value) === JSON.stringify(now)) return;
    now = value;
    try {
      if (value) localStorage.setItem(ACTING_KEY, JSON.stringify(value));
      else localStorage.removeItem(ACTING_KEY);
    } catch {
      // A browser that keeps nothing asks once more than it had to.
    }
  },
  /** Whether to show what needs one of these permissions; the API decides again. */
  may: (...any: TeamPermission[]): boolean => now === undefined || any.some((permission) => now?.permissions.includes(permission)),
};

/** What the pages below a path need; a query after the path says nothing. */
const NEEDED: readonly (readonly [RegExp, readonly TeamPermission[]])[] = [
  [/^\/checkout|^\/residential\/buy|\/top-up$|^\/static\/buy|^\/servers\/(vps|dedicated)\/order/, ['PAY']],
  [/^\/(billing|orders)/, ['BILLING']],
  [/^\/developers/, ['KEYS', 'WEBHOOKS']],
  [/^\/residential\/check/, ['GENERATE']],
];

/** Pages that only the person whom the account belongs to has a use for. */
const PERSONAL = /^\/(connect|settings\/(confirm|enrol))/;

/** Whether to show a page, or a link to it. */
export function mayOpen(href: string): boolean {
  if (now === undefined) return true;
  const [path = ''] = href.split(/[?#]/);
  return !PERSONAL.test(path) && NEEDED.every(([pages, any]) => !pages.test(path) || acting.may(...any));
}
