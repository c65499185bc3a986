// Whether a viewer may do what a part of the desk asks for.
import { because, fail } from './errors.ts';
import type { Viewer } from './identity.ts';
import { type StaffPermission, rolesWith } from './staff-permissions.ts';

/** Whether the viewer is a member of staff who has this permission. */
export const mayAsStaff = (viewer: Viewer, permission: StaffPermission): boolean =>
  viewer.kind === 'session' && viewer.staff && (viewer.permissions?.includes(permission) ?? false);

/** Why somebody is refused whose kind has no part in what was asked: who is nobody has to sign in. */
export const strangerError = ({ kind }: Viewer): Error => fail(kind === 'anonymous' ? 'session_invalid' : 'forbidden');

/** Throws permission_missing, which says what is missing and who has it, for a member of staff; `strangerError` for anybody else. */
export function requirePermission(viewer: Viewer, permission: StaffPermission): void {
  if (mayAsStaff(viewer, permission)) return;
  if (viewer.kind !== 'session' || !viewer.staff) throw strangerError(viewer);
  throw fail('permission_missing', {
    reason: because('permission_of_roles', { permission, roles: rolesWith(permission).join(', ').toLowerCase() }),
  });
}
