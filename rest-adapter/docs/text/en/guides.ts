import { EXTRA_IPV4_MAX } from '../../../../schema/limits.ts';

interface Guide {
  title: string;
  lead: string;
  sections: readonly { title: string; text: readonly string[] }[];
}

/** One for each product, by the last part of its path. */
export const guides = {
  residential: {
    title: 'Residential proxies',
    lead: 'Traffic through homes and phones around the world, paid by the gigabyte.',
    sections: [
      {
        title: 'Buy',
        text: [
          'A package is bought once and has no end date of its own, unless the product says one: it lasts until its bytes are used. It is ready seconds after the payment.',
          '“Add data” puts more into the same package, so that lines, sessions and proxy users stay as they are. Automatic top-up does it at a mark of your choice, within a sum of a month that you set, and stops at the first decline.',
        ],
      },
      {
        title: 'Generate lines',
        text: [
          'Choose a place, HTTP or SOCKS5, rotating or sticky, and the format that your program reads; or ask the API for it. Generating costs no bandwidth, and a batch can be fetched again.',
          'Rotating lines take a fresh address for every connection: for each request over plain HTTP, for each tunnel over HTTPS and SOCKS5. They are all the same, so one is enough. Sticky lines keep theirs for as many minutes as you choose. Should the address be gone before, requests fail and say so; with onlost-switch in the username another address takes over.',
          'A line can be written by hand too: [every part of a username](/docs/proxies). “Check a line” in the dashboard, `egress test` and the API send a real request through a line and say where it comes out.',
        ],
      },
      {
        title: 'Watch',
        text: [
          'Every byte is counted as it flows, and shown live: by host, country, session, client and proxy user, by the hour and the day, as a table and as CSV. Marks of use of your own bring a mail; a daily limit pauses the package until 00:00 UTC.',
          'The request log, off until you want it, keeps a line for each request for seven days: host, status, bytes, place, duration, and how to mend what failed.',
        ],
      },
      {
        title: 'Share',
        text: [
          'Proxy users have a name and password of their own, limits by the day, the month and for good, allowed places and targets, and a page of their use that needs no log-in. Their bytes add up to those of the package.',
          'Networks let the machines of an address in without a password.',
        ],
      },
    ],
  },
  static: {
    title: 'ISP and datacenter proxies',
    lead: 'Addresses of your own by the month, without metering.',
    sections: [
      {
        title: 'Buy',
        text: [
          'Choose the product, the place where it has stock, and how many. The addresses are on the account by themselves once the payment is confirmed; there is nothing to generate. ISP addresses come from networks of named carriers.',
          'Should addresses be missing after a payment, the page says by when they come, and at that time the payment goes back by itself.',
        ],
      },
      {
        title: 'Use',
        text: [
          'Copy the lines or download them as a .txt file, in the format that your program reads. Each line is an address that nobody else has, over HTTP and SOCKS5. The same list by API: [list static plans](/docs/api/list_static_plans).',
          'A tool that cannot send a username and password logs in by the address it comes from: let that in under Access, at all addresses of the plan or at one, or [add a network](/docs/api/add_static_network) by API.',
          '“Test” beside an address, `egress static-test` and the [API](/docs/api/test_static_line) send a real request through its line and say which address was seen, how quickly, and what was wrong. The health of every address is watched. One that fails can be exchanged, or is exchanged by itself where you want that; a label stays with its place in the list.',
        ],
      },
      {
        title: 'Change and end',
        text: [
          'Add addresses at any time: the rest of the period is charged. Give back at any time: what is not used of the period becomes credit. A plan renews until you cancel, and then works to the end of what is paid.',
          'When a renewal cannot be paid it is tried again for a few days, with a mail each time; then the plan is suspended, its addresses are kept for a while, and pay brings the same ones back.',
        ],
      },
    ],
  },
  vps: {
    title: 'Virtual servers',
    lead: 'A machine with a public address in a minute or two.',
    sections: [
      {
        title: 'Order',
        text: [
          `Choose a plan, a system, SSH keys, user data for cloud-init, up to ${EXTRA_IPV4_MAX} extra IPv4, and weekly backups. Linux images have a user named after their family, Windows has Administrator; the password is in the dashboard.`,
          'A build that gets stuck is done again by itself. An order that cannot be built is paid back.',
        ],
      },
      {
        title: 'Run',
        text: [
          'Start, reboot, stop, force stop, a console in the browser, rescue, a new password, reinstall, and metrics of processor, memory, disk and network as they are. A stopped server stays reserved and is billed.',
          'By key: each action is a POST to [`/v1/servers/{server_id}/actions/...`](/docs/api) with an `Idempotency-Key`, answered with 202 and an operation that is asked until it has ended. `egress servers reboot SERVER --wait` does both.',
        ],
      },
      {
        title: 'Keep',
        text: [
          'A backup is a copy of the whole disk every seven days on separate storage. The newest is always kept. Restoring makes the whole server what it was then: everything since is lost, and a copy of the present state is kept for a while. Backups end with the server, and cannot be downloaded.',
          'An upgrade goes to a larger plan: the difference for the rest of the period is charged at once, the server reboots, and disk, data and renewal date stay.',
        ],
      },
      {
        title: 'End',
        text: [
          'Cancelling, in the dashboard or by key ([cancel a server](/docs/api/cancel_server)), keeps the server until the end of what is paid; then it is deleted with its data and its backups. Until then it can be taken back.',
        ],
      },
    ],
  },
  dedicated: {
    title: 'Dedicated servers',
    lead: 'A whole machine, without neighbours.',
    sections: [
      {
        title: 'Order',
        text: [
          'A machine is held for you once you order. Delivery is usually under a few hours, at most one business day; the page of the order shows each step, and the connection details appear there.',
        ],
      },
      {
        title: 'Run',
        text: [
          'Start, reboot, stop, force stop, a web console, metrics, and a new password, for which the machine restarts. Reinstalling wipes all disks and installs the system that you choose, typically in 10 to 20 minutes; there is no way back.',
          'By key the same as for virtual servers: [the operations](/docs/api).',
        ],
      },
      {
        title: 'End',
        text: ['Cancelling keeps the machine until the end of what is paid; then it is decommissioned and all its data is wiped.'],
      },
    ],
  },
} satisfies Record<string, Guide>;
