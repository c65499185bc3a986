import type * as en from '../en/staff-acts.ts';

export const staffActs: typeof en.staffActs = {
  title: 'Handlungen des Teams',
  lead: (days) =>
    `Was Mitglieder des Teams in allen Teilen der Plattform geändert und was sie vom Tun anderer gelesen haben. ${days} Tage lang aufbewahrt.`,
  file: 'Als CSV laden',
  by: 'Mitglied',
  anybody: 'Alle',
  about: 'Worüber',
  aboutHint: 'Die Kennung eines Kontos, einer Bestellung, eines Falls; eine Adresse. Das ganze Wort.',
  from: 'Von (UTC)',
  to: 'Bis (UTC)',
  find: 'Suchen',
  empty: 'Keine Handlungen',
  emptyLead: 'Nichts von dem, was Sie suchen, ist in diesen Tagen geschehen.',
  more: 'Mehr zeigen',
};
