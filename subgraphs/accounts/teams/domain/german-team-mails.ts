// Mails about teams, in German.
import type { TeamRole } from '#platform/team-permissions.ts';
import { write } from '../../mail/domain/german.ts';
import type { ToCustomers } from '../../mail/domain/staff-mail.ts';
import type { TEAM_MAILS } from './team-mails.ts';

const ROLES: Readonly<Record<TeamRole, string>> = {
  OWNER: 'Inhaber',
  BILLING: 'Abrechnung',
  DEVELOPER: 'Entwickler',
  VIEWER: 'Betrachter',
};

/** Kind of mail -> a function from the mail's data to its German text. */
export const TEAM_MAILS_DE: ToCustomers<typeof TEAM_MAILS> = {
  team_invited: ({ brand, team, by, role, days, url }) =>
    write({
      subject: `${by} lädt Sie in das Team ${team} bei ${brand} ein`,
      paragraphs: [
        `${by} lädt Sie in das Team ${team} bei ${brand} ein, in der Rolle „${ROLES[role]}“.`,
        `Folgen Sie dem Link innerhalb von ${days} Tagen und melden Sie sich mit dieser Adresse an, oder registrieren Sie sich mit ihr. Wenn Sie das Team nicht kennen, ignorieren Sie diese E-Mail: Es geschieht nichts.`,
      ],
      link: { label: 'Einladung ansehen', url },
      closing: brand,
    }),
  team_joined: ({ brand, email, role, url }) =>
    write({
      subject: `${email} ist in Ihrem Team bei ${brand}`,
      paragraphs: [
        `${email} ist dem Team Ihres Kontos bei ${brand} beigetreten, in der Rolle „${ROLES[role]}“.`,
        'Wenn Sie nicht wissen, wer das ist, entfernen Sie das Mitglied und schreiben Sie uns.',
      ],
      link: { label: 'Mein Team ansehen', url },
      closing: brand,
    }),
  team_left: ({ brand, team }) =>
    write({
      subject: `Sie sind nicht mehr im Team ${team}`,
      paragraphs: [`Ein Inhaber des Teams ${team} bei ${brand} hat Sie daraus entfernt. Ihr eigenes Konto bleibt, wie es ist.`],
      closing: brand,
    }),
};
