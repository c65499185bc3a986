import type { Viewer } from '#platform/identity.ts';
import { ALL_PERMISSIONS, type StaffPermission, permissionsOf } from '#platform/staff-permissions.ts';
import type { Account } from '../identity/entities/account.ts';
import { accountWithEmail } from '../identity/entities/account.ts';
import { rolesOf } from '../identity/entities/staff-role.ts';
import type { Context } from '../context.ts';

/** What the activity shows as the address of a command. */
const ADDRESS = 'command line';

/** The context of the member of staff who runs a command, so that the activity of the account concerned says who it was. */
export async function asStaff(ctx: Context, by: string | undefined, refuse: (sentence: string) => Error): Promise<Context> {
  if (!by) throw refuse('Say who you are: --by EMAIL, the address of a member of staff.');
  const account = await accountWithEmail(ctx.em, by);
  if (account?.role !== 'STAFF')
    throw refuse(`${by} is not a member of staff. One is appointed with: npm run support -- appoint EMAIL --roles support --by EMAIL`);
  return { ...ctx, viewer: viewerOf(account, ctx, permissionsOf(await rolesOf(ctx.em, account.id))) };
}

/** The same for the first member of staff, whom nobody else can appoint: whoever can run the command on this machine appoints themselves. */
export async function asFirstStaff(ctx: Context, by: string, refuse: (sentence: string) => Error): Promise<Context> {
  const account = await accountWithEmail(ctx.em, by);
  if (!account) throw refuse(`No account has the e-mail address ${by}: sign up first.`);
  return { ...ctx, viewer: viewerOf(account, ctx, ALL_PERMISSIONS) };
}

const viewerOf = ({ id }: Account, { viewer: { requestId } }: Context, permissions: readonly StaffPermission[]): Viewer => ({
  kind: 'session',
  accountId: id,
  sessionId: 'command',
  staff: true,
  permissions,
  address: ADDRESS,
  requestId,
});
