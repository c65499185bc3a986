// What an owner decides about a member: the role, and which plans, proxy users and servers.
import { because, fail } from '#platform/errors.ts';
import { type IdPrefix, isId } from '#platform/ids.ts';
import { ROLES_OF_THINGS, type TeamRole } from '#platform/team-permissions.ts';
import { TEAM } from '../../../../schema/limits.ts';

export interface TeamAccess {
  role: TeamRole;
  /** Ids of plans, proxy users and servers; null: all. */
  things: string[] | null;
}

const THINGS: readonly IdPrefix[] = ['plan', 'user', 'isp', 'dc', 'vps', 'ded'];

/** Which ids exist is for the rooms that have them: an unknown one opens nothing. Throws `parameter_invalid`. */
export function checkAccess({ role, things }: { role: TeamRole; things?: readonly string[] | null | undefined }): TeamAccess {
  if (!things) return { role, things: null };
  const refuse = (reason: ReturnType<typeof because>) => fail('parameter_invalid', { field: 'things', reason });
  if (!ROLES_OF_THINGS.includes(role)) throw refuse(because('team_role_of_whole'));
  if (things.length > TEAM.things) throw refuse(because('list_too_long', { name: 'things', max: TEAM.things }));
  const unfit = things.find((id) => !THINGS.some((prefix) => isId(prefix, id)));
  if (unfit !== undefined) throw refuse(because('team_thing_unfit', { id: unfit.slice(0, 40) }));
  return { role, things: [...new Set(things)] };
}

/** Trimmed; null for an empty one: members see the account's address then. Throws `parameter_invalid`. */
export function checkTeamName(name: string | null | undefined): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed.length > TEAM.nameLength)
    throw fail('parameter_invalid', { field: 'name', reason: because('name_length', { max: TEAM.nameLength }) });
  return trimmed === '' ? null : trimmed;
}

export const nameOfTeam = ({ id, email, teamName }: { id: string; email?: string | null; teamName?: string | null }): string =>
  teamName ?? email ?? id;
