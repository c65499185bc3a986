// Mails about teams: to whoever is invited or removed, and to the account. They are always sent.
import type { TeamRole } from '#platform/team-permissions.ts';
import { type MailText, write } from '../../mail/domain/mail-text.ts';

/** Each role as somebody who has it. */
const ROLES: Readonly<Record<TeamRole, string>> = { OWNER: 'an owner', BILLING: 'billing', DEVELOPER: 'a developer', VIEWER: 'a viewer' };

/** Kind of mail -> a function from the mail's data to its text. */
export const TEAM_MAILS = {
  team_invited: ({
    brand,
    team,
    by,
    role,
    days,
    url,
  }: {
    brand: string;
    team: string;
    by: string;
    role: TeamRole;
    days: number;
    url: string;
  }) =>
    write({
      subject: `${by} invites you into the team ${team} at ${brand}`,
      paragraphs: [
        `${by} invites you into the team ${team} at ${brand}, as ${ROLES[role]}.`,
        `Follow the link within ${days} days, and sign in with this address or sign up with it. If you do not know the team, ignore this mail: nothing happens.`,
      ],
      link: { label: 'See the invitation', url },
      closing: brand,
    }),
  team_joined: ({ brand, email, role, url }: { brand: string; email: string; role: TeamRole; url: string }) =>
    write({
      subject: `${email} is in your team at ${brand}`,
      paragraphs: [
        `${email} has joined the team of your ${brand} account as ${ROLES[role]}.`,
        'If you do not know who that is, remove the member and write to us.',
      ],
      link: { label: 'See my team', url },
      closing: brand,
    }),
  team_left: ({ brand, team }: { brand: string; team: string }) =>
    write({
      subject: `You are not in the team ${team} any more`,
      paragraphs: [`An owner of the team ${team} at ${brand} has removed you from it. Your own account stays as it is.`],
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
