// Who may do what: roles, users, tokens and grants, as `pveum` makes them. Source: pve-access-control, PVE/RPCEnvironment.pm, check and check_any, and
// PVE/Exception.pm, raise_perm_exc, for the refusal; PVE/AccessControl.pm for the names of privileges, of which release 9 has others than release 8.
import { type Call, Refusal } from './call.ts';
import { type Access, type HypervisorState, PRIVILEGES } from './state.ts';

export const noAccess = (): Access => ({ roles: {}, users: {}, tokens: {}, grants: [] });

const OF_RELEASE_8 = ['VM.Monitor'];
const OF_RELEASE_9 = ['VM.GuestAgent.Unrestricted', 'VM.GuestAgent.Audit', 'VM.Replicate'];
const FURTHER = ['Datastore.AllocateTemplate', 'Sys.AccessNetwork', 'Sys.Modify', 'Sys.Console', 'VM.Migrate', 'Pool.Audit'];

/** Every privilege that this release knows. */
export const knownPrivileges = ({ version = '8.4.1' }: HypervisorState): string[] => {
  const isNine = Number.parseInt(version, 10) >= 9;
  return [...PRIVILEGES, ...FURTHER].filter((name) => !OF_RELEASE_8.includes(name) || !isNine).concat(isNine ? OF_RELEASE_9 : []);
};

/** What a caller may do, by path. A caller that `pveum` has not made is the sandbox's own token, which may do everything. */
export function permissionsOf(state: HypervisorState, caller: string): Record<string, string[]> {
  const { users, roles, grants } = state.access ?? noAccess();
  const user = caller.split('!')[0] ?? '';
  const may = (privileges: readonly string[]) => privileges.filter((privilege) => !state.lacking?.includes(privilege));
  if (!(user in users)) return { '/': may(knownPrivileges(state)) };
  const paths: Record<string, string[]> = {};
  for (const grant of grants) if (grant.user === user) (paths[grant.path] ??= []).push(...may(roles[grant.role] ?? []));
  return paths;
}

const isWithin = (path: string, granted: string) => granted === '/' || path === granted || path.startsWith(`${granted}/`);

/** Whether a caller has one of these privileges at the path. */
export const holds = (state: HypervisorState, { user }: Pick<Call, 'user'>, path: string, ...anyOf: string[]): boolean =>
  Object.entries(permissionsOf(state, user)).some(
    ([granted, privileges]) => isWithin(path, granted) && anyOf.some((privilege) => privileges.includes(privilege)),
  );

/** Refuses a caller who has none of these privileges at the path. */
export function demand(state: HypervisorState, call: Pick<Call, 'user'>, path: string, ...anyOf: string[]): void {
  if (!holds(state, call, path, ...anyOf)) throw new Refusal(`Permission check failed (${path}, ${anyOf.join('|')})`, 403);
}
