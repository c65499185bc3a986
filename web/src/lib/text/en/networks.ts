/** What is said of log-in by address, of residential and of static plans. */
export const networks = {
  title: 'Log-in by address',
  lead: 'Tools that come from these addresses need no username and password, over HTTP and SOCKS5. All that they use is this plan’s. Removing one ends what it has open.',
  none: 'No address is let in without a password.',
  network: 'Address or network',
  networkHint: '203.0.113.7, 203.0.113.0/24 or 2001:db8::/64; one that only you use.',
  add: 'Let it in',
  added: 'Let in',
  remove: 'Remove',
  removeLabel: (network: string) => `Remove ${network}`,
  removed: 'Removed',
  used: (ago: string) => `last used ${ago}`,
  unused: 'not used yet',
  both: 'Password and address',
  bothLead: 'Lines work from these addresses only, and with their password only: a line that leaks is of no use elsewhere.',
  saved: 'Saved',
  ofStatic: {
    lead: 'Tools that come from these addresses need no username and password, over HTTP and SOCKS5: which proxy they dial says where they leave from. Removing one ends what it has open.',
    networkHint: '203.0.113.7, 203.0.113.0/24 or 2001:db8::/64.',
    where: 'May use',
    all: 'All addresses of the plan',
    note: 'Note',
    bothLead:
      'Lines work from these addresses and from the allowed clients only, and with their password only: a line that leaks is of no use elsewhere.',
  },
};
