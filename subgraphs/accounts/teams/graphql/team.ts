import { type Viewer, memberOf } from '#platform/identity.ts';
import { type Member, TEAM_PERMISSIONS, permissionsInTeam } from '#platform/team-permissions.ts';
import { builder } from '../../builder.ts';
import { type Account as AccountEntity, accountWithId, accountsWithIds, addressOf } from '../../identity/entities/account.ts';
import { Account } from '../../identity/graphql/account.ts';
import { TeamRole } from '../../identity/graphql/caller-identity.ts';
import { nameOfTeam } from '../domain/team-access.ts';
import { type TeamInvitation as TeamInvitationEntity, openInvitationsOf } from '../entities/team-invitation.ts';
import { type TeamMember as TeamMemberEntity, membersOf, membershipsOf } from '../entities/team-member.ts';
import { type ReadInvitation as ReadInvitationValue, invite, join, readInvitation, withdrawInvitation } from '../services/invitations.ts';
import { changeMember, leaveAsMember, removeMember, setTeamName, switchAccount } from '../services/members.ts';

const TeamPermission = builder.enumType('TeamPermission', {
  values: Object.fromEntries(TEAM_PERMISSIONS.map((permission) => [permission.toUpperCase(), { value: permission }])) as Record<
    string,
    { value: (typeof TEAM_PERMISSIONS)[number] }
  >,
});

const TeamMember = builder.objectRef<TeamMemberEntity>('TeamMember').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.string({ resolve: ({ personId }, _args, { em }) => addressOf(em, personId) }),
    role: t.expose('role', { type: TeamRole }),
    things: t.field({ type: ['ID'], nullable: true, resolve: ({ things }) => things }),
    since: t.expose('since', { type: 'DateTime' }),
  }),
});

const TeamInvitation = builder.objectRef<TeamInvitationEntity>('TeamInvitation').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: TeamRole }),
    things: t.field({ type: ['ID'], nullable: true, resolve: ({ things }) => things }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

const Team = builder.objectRef<AccountEntity>('Team').implement({
  fields: (t) => ({
    name: t.exposeString('teamName', { nullable: true }),
    members: t.field({ type: [TeamMember], resolve: ({ id }, _args, { em }) => membersOf(em, id) }),
    invitations: t.field({ type: [TeamInvitation], resolve: ({ id }, _args, { em, clock }) => openInvitationsOf(em, id, clock.now()) }),
  }),
});

const TeamMembership = builder.objectRef<Pick<TeamMemberEntity, 'accountId' | 'role'>>('TeamMembership').implement({
  fields: (t) => ({
    accountId: t.exposeID('accountId'),
    name: t.loadable({
      type: 'String',
      resolve: ({ accountId }) => accountId,
      async load(ids: string[], { em }) {
        const names = new Map((await accountsWithIds(em, ids)).map((account) => [account.id, nameOfTeam(account)]));
        return ids.map((id) => names.get(id) ?? id);
      },
    }),
    role: t.expose('role', { type: TeamRole }),
  }),
});

const TeamActing = builder.objectRef<Member>('TeamActing').implement({
  fields: (t) => ({
    accountId: t.exposeID('accountId'),
    email: t.string({
      nullable: true,
      resolve: async ({ accountId }, _args, { em }) => (await accountWithId(em, accountId))?.email ?? null,
    }),
    role: t.expose('role', { type: TeamRole }),
    permissions: t.field({ type: [TeamPermission], resolve: permissionsInTeam }),
    things: t.field({ type: ['ID'], nullable: true, resolve: ({ only }) => (only ? [...only] : null) }),
  }),
});

/** How the viewer acts in this account. */
const actingIn = (viewer: Viewer, accountId: string): Member | undefined =>
  viewer.kind === 'session' && viewer.accountId === accountId ? memberOf(viewer) : undefined;

builder.objectFields(Account, (t) => ({
  team: t.field({ type: Team, authScopes: { session: 'team' }, resolve: (account) => account }),
  teams: t.field({
    type: [TeamMembership],
    authScopes: { session: 'read' },
    resolve: ({ id }, _args, ctx) => membershipsOf(ctx.em, actingIn(ctx.viewer, id)?.accountId ?? id),
  }),
  acting: t.field({
    type: TeamActing,
    nullable: true,
    authScopes: { session: 'read' },
    resolve: ({ id }, _args, { viewer }) => actingIn(viewer, id) ?? null,
  }),
}));

const ReadInvitation = builder.objectRef<ReadInvitationValue>('ReadInvitation').implement({
  fields: (t) => ({
    team: t.exposeString('team'),
    role: t.field({ type: TeamRole, resolve: ({ invitation: { role } }) => role }),
    isLimited: t.boolean({ resolve: ({ invitation: { things } }) => things !== null }),
  }),
});

const TeamInvitationInput = builder.inputType('TeamInvitationInput', {
  fields: (t) => ({
    email: t.string({ required: true }),
    role: t.field({ type: TeamRole, required: true }),
    things: t.idList(),
  }),
});

const TeamMemberInput = builder.inputType('TeamMemberInput', {
  fields: (t) => ({ role: t.field({ type: TeamRole, required: true }), things: t.idList() }),
});

builder.queryField('teamInvitation', (t) =>
  t.field({
    type: ReadInvitation,
    nullable: true,
    authScopes: { session: 'read' },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => readInvitation(ctx, token),
  }),
);

builder.mutationFields((t) => ({
  teamSetName: t.field({
    type: Account,
    authScopes: { session: 'team' },
    args: { name: t.arg.string() },
    resolve: (_, { name }, ctx) => setTeamName(ctx, name),
  }),
  teamInvite: t.field({
    type: TeamInvitation,
    authScopes: { session: 'team' },
    args: { input: t.arg({ type: TeamInvitationInput, required: true }) },
    resolve: (_, { input }, ctx) => invite(ctx, input),
  }),
  teamInvitationWithdraw: t.id({
    authScopes: { session: 'team' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => withdrawInvitation(ctx, id),
  }),
  teamJoin: t.field({
    type: TeamMembership,
    authScopes: { session: 'read' },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => join(ctx, token),
  }),
  teamMemberChange: t.field({
    type: TeamMember,
    authScopes: { session: 'team' },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: TeamMemberInput, required: true }) },
    resolve: (_, { id, input }, ctx) => changeMember(ctx, id, input),
  }),
  teamMemberRemove: t.id({
    authScopes: { session: 'team' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => removeMember(ctx, id),
  }),
  teamLeave: t.id({
    authScopes: { session: 'read' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_, { accountId }, ctx) => leaveAsMember(ctx, accountId),
  }),
  teamSwitch: t.id({
    authScopes: { session: 'read' },
    args: { accountId: t.arg.id() },
    resolve: (_, { accountId }, ctx) => switchAccount(ctx, accountId ?? null),
  }),
}));
