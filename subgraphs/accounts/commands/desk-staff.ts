// The desk's commands on staff itself: who belongs to it, and what its members may do.
import { toDay } from '#platform/clock.ts';
import { PERMISSIONS, STAFF_ROLES, type StaffRole, isStaffRole } from '#platform/staff-permissions.ts';
import type { Context } from '../context.ts';
import { factorsOf } from '../identity/services/second-factor.ts';
import { isStaffEmpty, setRoles, staffMembers } from '../identity/services/staff.ts';
import { staffActsPart } from '../support/services/staff-acts.ts';
import { issueEnrolment } from '../identity/services/staff-enrolment.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import { type Command, accountOf } from './desk.ts';

const NAMES = STAFF_ROLES.join(', ').toLowerCase();

export const STAFF_COMMANDS: Readonly<Record<string, Command>> = {
  appoint: {
    permission: 'staff',
    words: 'ACCOUNT --roles support,finance,...',
    about: `makes an account a member of staff with these roles and no others; the first one appoints themselves, as an owner. Roles: ${NAMES}`,
    async run(ctx, { of, roles }) {
      const given = roles === undefined && (await isStaffEmpty(ctx)) ? (['OWNER'] as const) : rolesIn(roles);
      const { id, email } = await setRoles(ctx, { accountId: (await accountOf(ctx, of)).id, roles: given });
      const sentence = `${email ?? id} is a member of staff (${given.join(', ').toLowerCase()}), once signed in with two factors.`;
      return (await factorsOf(ctx, id)).length > 0 ? sentence : `${sentence}\n${await linkFor(ctx, id)}`;
    },
  },
  dismiss: {
    permission: 'staff',
    words: 'ACCOUNT',
    about: 'makes a member of staff a customer again',
    async run(ctx, { of }) {
      const { id, email } = await setRoles(ctx, { accountId: (await accountOf(ctx, of)).id, roles: [] });
      return `${email ?? id} is a customer.`;
    },
  },
  roles: {
    permission: 'staff',
    words: '',
    about: 'who belongs to staff with which roles, and what each permission asks for',
    run: async (ctx) =>
      table([
        ...(await staffMembers(ctx)).map(({ account, roles, since }) => [
          account.email ?? account.id,
          roles.join(', ').toLowerCase(),
          `since ${since.toISOString()}`,
        ]),
        [''],
        ...PERMISSIONS.map(({ permission, roles }) => [permission, roles.join(', ').toLowerCase()]),
      ]),
  },
  audit: {
    permission: 'audit',
    words: '',
    about: 'what members of staff have done, as CSV: --from YYYY-MM-DD --to YYYY-MM-DD; without them of today',
    async run(ctx, { from = toDay(ctx.clock.now()), to = from }) {
      const texts: string[] = [];
      let part = await staffActsPart(ctx, { from, to });
      for (; part.next !== null; part = await staffActsPart(ctx, { from, to, after: part.next })) texts.push(part.text);
      return [...texts, part.text].join('').trimEnd();
    },
  },
  'enrol-factor': {
    permission: 'staff',
    words: 'ACCOUNT',
    about: 'a link by which a member of staff without a second factor sets one up; hand it over in person',
    run: async (ctx, { of }) => linkFor(ctx, (await accountOf(ctx, of)).id),
  },
};

function rolesIn(words: string | undefined): StaffRole[] {
  const roles = words?.toUpperCase().split(',').filter(Boolean) ?? [];
  if (roles.length === 0 || !roles.every(isStaffRole)) throw new Refusal(`Say which roles: --roles with some of ${NAMES}.`);
  return roles;
}

async function linkFor(ctx: Context, accountId: string): Promise<string> {
  const { url, expiresAt } = await issueEnrolment(ctx, accountId);
  return `Once, until ${expiresAt.toISOString()}, to set up the second factor: ${url}`;
}
