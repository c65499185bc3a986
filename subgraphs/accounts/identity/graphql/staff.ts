// The members of staff, and what they may do.
import { PERMISSIONS, type PermissionRow, STAFF_ROLES } from '#platform/staff-permissions.ts';
import { builder } from '../../builder.ts';
import { rolesOf } from '../entities/staff-role.ts';
import { type StaffMember as StaffMemberValue, setRoles, staffMembers } from '../services/staff.ts';
import { Account } from './account.ts';

const StaffRole = builder.enumType('StaffRole', { values: STAFF_ROLES });

const StaffMember = builder.objectRef<StaffMemberValue>('StaffMember').implement({
  fields: (t) => ({
    account: t.expose('account', { type: Account }),
    roles: t.expose('roles', { type: [StaffRole] }),
    since: t.expose('since', { type: 'DateTime' }),
  }),
});

const StaffPermission = builder.objectRef<PermissionRow>('StaffPermission').implement({
  fields: (t) => ({
    permission: t.exposeString('permission'),
    roles: t.field({ type: [StaffRole], resolve: ({ roles }) => [...roles] }),
  }),
});

builder.objectFields(Account, (t) => ({
  staffRoles: t.field({ type: [StaffRole], resolve: ({ id, role }, _, { em }) => (role === 'STAFF' ? rolesOf(em, id) : []) }),
  staffPermissions: t.stringList({
    resolve: ({ id }, _, { viewer }) => (viewer.kind === 'session' && viewer.accountId === id ? [...(viewer.permissions ?? [])] : []),
  }),
}));

builder.queryFields((t) => ({
  supportStaff: t.field({ type: [StaffMember], authScopes: { staff: 'staff' }, resolve: (_, __, ctx) => staffMembers(ctx) }),
  supportStaffPermissions: t.field({ type: [StaffPermission], authScopes: { staff: 'staff' }, resolve: () => [...PERMISSIONS] }),
}));

builder.mutationField('supportStaffSetRoles', (t) =>
  t.field({
    type: Account,
    authScopes: { staff: 'staff' },
    args: { accountId: t.arg.id({ required: true }), roles: t.arg({ type: [StaffRole], required: true }) },
    resolve: (_, input, ctx) => setRoles(ctx, input),
  }),
);
