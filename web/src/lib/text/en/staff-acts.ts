/** The acts of staff, at the support desk. */
export const staffActs = {
  title: 'Acts of staff',
  lead: (days: string) =>
    `What members of staff have changed, in every part of the platform, and what they have read of people’s doings. Kept for ${days} days.`,
  file: 'Download CSV',
  by: 'Member',
  anybody: 'Anybody',
  about: 'About',
  aboutHint: 'The id of an account, an order, a case; an address. The whole word.',
  from: 'From (UTC)',
  to: 'To (UTC)',
  find: 'Search',
  empty: 'No acts',
  emptyLead: 'Nothing of what you look for was done in these days.',
  more: 'Show more',
};
