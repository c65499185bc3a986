/** The account's choice of how the hosts are kept that its proxies reach. */
export const usageHosts = {
  title: 'Target hosts',
  lead: 'How the hosts that your residential proxies reach are kept with counted data, of all plans. Your data usage is counted all the same.',
  field: 'Kept',
  kinds: { PLAIN: 'As they are', HASHED: 'Hashed', OFF: 'Not at all' },
  leads: {
    PLAIN: 'You can see by host what your data was used for.',
    HASHED: 'Hosts can be told apart, but not read: neither by you nor by us.',
    OFF: 'Nothing is kept of hosts, and there is no usage by host.',
  },
  fromNowOn: 'Counts from now on. What was counted before stays as it was kept. The request log of a plan is a choice of its own.',
  chosen: (at: string) => `Chosen on ${at}.`,
  operators: 'The platform keeps no hosts more openly than this.',
  saved: 'Changed. It counts from the next counted line on.',
};
