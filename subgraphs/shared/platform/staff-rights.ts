// Whether a viewer may use an operation of the support desk.
import { because, fail } from './errors.ts';
import type { Viewer } from './identity.ts';
import { type StaffPermission, rolesWith } from './staff-permissions.ts';

/** Whether the viewer is a member of staff who has this permission. */
export const mayAsStaff = (viewer: Viewer, permission: StaffPermission): boolean =>
  viewer.kind === 'session' && viewer.staff && (viewer.permissions?.includes(permission) ?? false);

/** The error for a viewer who may not use an operation at all: an anonymous one must sign in, any other is forbidden. */
export const strangerError = ({ kind }: Viewer): Error => fail(kind === 'anonymous' ? 'session_invalid' : 'forbidden');

/** For a member of staff without the permission, throws permission_missing, which names it and the roles that have it; `strangerError` for anybody else. */
export function requirePermission(viewer: Viewer, permission: StaffPermission): void {
  if (mayAsStaff(viewer, permission)) return;
  if (viewer.kind !== 'session' || !viewer.staff) throw strangerError(viewer);
  throw fail('permission_missing', {
    reason: because('permission_of_roles', { permission, roles: rolesWith(permission).join(', ').toLowerCase() }),
  });
}
