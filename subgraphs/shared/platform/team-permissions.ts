// What the members of a team may do in its account: one table of permissions and the roles that have them. In every subgraph, each operation of a signed-in
// person names the permission that a member needs; one that names none is for the account's own person alone.

/** A member has one role. OWNER has every permission. */
export const TEAM_ROLES = ['OWNER', 'BILLING', 'DEVELOPER', 'VIEWER'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/**
 * Permission -> the roles that have it, besides OWNER. The scopes of API keys are permissions, and mean the same; `pay`: whatever costs money; `keys`: API keys
 * and connected apps; `team`: members, activity, choices for the whole account.
 */
const TABLE = {
  read: ['BILLING', 'DEVELOPER', 'VIEWER'],
  generate: ['DEVELOPER'],
  plans: ['DEVELOPER'],
  servers: ['DEVELOPER'],
  webhooks: ['DEVELOPER'],
  keys: ['DEVELOPER'],
  billing: ['BILLING'],
  pay: ['BILLING'],
  team: [],
} as const satisfies Record<string, readonly Exclude<TeamRole, 'OWNER'>[]>;

export type TeamPermission = keyof typeof TABLE;

export const TEAM_PERMISSIONS = Object.keys(TABLE) as TeamPermission[];

/** What is left to a member who has access to some plans, users and servers alone: nothing of the whole account. */
const OF_THINGS: readonly TeamPermission[] = ['read', 'generate', 'plans', 'servers'];

/** The roles whose members may be kept to some plans, users and servers: the others see all that is paid for. */
export const ROLES_OF_THINGS: readonly TeamRole[] = ['DEVELOPER', 'VIEWER'];

/** A person who acts in the account of a team. */
export interface Member {
  /** The person's own account. */
  accountId: string;
  role: TeamRole;
  /** Ids of the plans, proxy users and servers that the member has access to; absent: all. */
  only?: readonly string[];
}

export const mayInTeam = ({ role, only }: Pick<Member, 'role' | 'only'>, permission: TeamPermission): boolean =>
  (role === 'OWNER' || (TABLE[permission] as readonly TeamRole[]).includes(role)) && (only === undefined || OF_THINGS.includes(permission));

export const permissionsInTeam = (member: Pick<Member, 'role' | 'only'>): TeamPermission[] =>
  TEAM_PERMISSIONS.filter((permission) => mayInTeam(member, permission));
