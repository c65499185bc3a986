import { MCP_TOOLS } from '../../../../../schema/limits.ts';
import { installation } from '#lib/installation.ts';

const { limits } = installation;

/** The public documentation; its texts must fit every operator. */
export const docs = {
  title: 'Documentation',
  lead: 'From an account to traffic, and everything from code.',
  contents: 'On this page',
  sections: [
    {
      id: 'start',
      title: 'Start',
      text: [
        'Create an account and confirm your address. Buy a residential package: it is ready seconds after the payment, and generating lines costs no bandwidth.',
        'ISP and datacenter proxies, virtual and dedicated servers are subscriptions: they are delivered by themselves and renew until you cancel.',
      ],
      code: '',
    },
    {
      id: 'lines',
      title: 'Proxy lines',
      text: [
        'A line is host, port, username and password, separated by colons. The port decides between HTTP and SOCKS5. What you want of the address stands in the username:',
        'country takes up to 20 codes with underscores between: the address is in any of them, and a session stays in the country it got. not leaves countries out of the world or of Europe. turn gives a session another address without a new number: count up by one, and each turn has a lifetime of its own. A session that is over begins again at another address when you use its number within a day.',
      ],
      code: 'USER-country-de-session-40217735-sessionttl-60\nUSER-country-de-session-40217735-sessionttl-60-onlost-switch\nUSER-country-de-session-40217735-sessionttl-60-turn-1\nUSER-country-us-state-new_york-city-new_york_city\nUSER-country-de_fr_it\nUSER-country-any-not-us_ca',
    },
    {
      id: 'traffic',
      title: 'Send traffic',
      text: [
        'Rotating lines take a fresh address for every connection: for each request over plain HTTP, for each tunnel over HTTPS and SOCKS5. They are all the same, so one is enough. Sticky lines keep theirs for the minutes in sessionttl; another session number is another address. Should the address of a sticky line be gone before, requests fail and say so; with onlost-switch in the username another address takes over.',
      ],
      code: 'curl -x http://HOST:PORT -U "USER-country-de:PASSWORD" https://example.com/',
    },
    {
      id: 'usage',
      title: 'What counts',
      text: [
        'Upload and download both count, to the byte; 1 GB is 1,000,000,000 bytes. There is no minimum. A package that is used up expires, and its history stays readable.',
        'A daily limit pauses a plan until 00:00 UTC. Resetting the authentication makes every line from before stop at once; a location that is cut off from us at that moment stops by itself, or when it is back.',
      ],
      code: '',
    },
    {
      id: 'refusals',
      title: 'When the proxy refuses',
      text: [
        '407: wrong username or password, perhaps from before a reset. 402: the package is used up. 403: the target is not allowed. 429: the daily limit is reached, with the seconds until it goes on. 502, 503 and 504: the target or the exit did not answer. Each says why in the Proxy-Status header, and the check of lines in the dashboard names every reason.',
      ],
      code: '',
    },
    {
      id: 'rest',
      title: 'REST API',
      text: [
        `Support issues keys on request; a key is shown whole once. Every key may send ${limits.requestsPerMinute} requests a minute, and every answer says how many are left. Errors carry a code and a request id.`,
      ],
      code: 'curl -H "Authorization: Bearer $API_KEY" ORIGIN/v1/residential\ncurl -H "Authorization: Bearer $API_KEY" \\\n  "ORIGIN/v1/residential/$PLAN/proxies?sticky=true&pool=Germany&quantity=10"',
    },
    {
      id: 'mcp',
      title: 'MCP for assistants',
      text: [`${MCP_TOOLS} tools over Streamable HTTP with the same key. In Claude Code, for example:`],
      code: 'claude mcp add --transport http proxies ORIGIN/mcp \\\n  --header "Authorization: Bearer $API_KEY"',
    },
    {
      id: 'graphql',
      title: 'GraphQL',
      text: [
        'The graph that the dashboard itself uses, with live subscriptions over WebSocket. The explorer opens at /graphql; samples stand under Developers.',
      ],
      code: 'curl ORIGIN/graphql \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d \'{"query":"{ residentialPlans { id username } }"}\'',
    },
    {
      id: 'servers',
      title: 'Servers',
      text: [
        'A VPS is built in a minute or two, a dedicated server usually within hours. Linux images have a user named after their family, Windows has Administrator; the password is in the dashboard. A stopped server stays reserved and is billed.',
        'Cancelling keeps a server until the end of what is paid; then its data is removed for good.',
      ],
      code: '',
    },
  ],
  reference: 'The whole API with calls to try is under Developers in the dashboard. To read without signing in, and for programs:',
  references: [
    { href: '/docs/proxies', title: 'Proxies: what counts and what is refused' },
    { href: '/docs/api', title: 'Reference' },
    { href: '/docs/graphql', title: 'GraphQL' },
    { href: '/docs/webhooks', title: 'Webhooks' },
    { href: '/docs/limits', title: 'Limits' },
    { href: '/docs/errors', title: 'Errors' },
    { href: '/openapi.json', title: 'openapi.json' },
    { href: '/llms.txt', title: 'llms.txt' },
  ],
};

export const landing = {
  metaTitle: 'Proxies and servers, by the gigabyte and by the month',
  metaDescription:
    'Residential and mobile proxies paid per gigabyte, VPS and dedicated servers in Frankfurt, one API and an MCP server for assistants.',
  headline: 'Proxies by the gigabyte. Servers by the month.',
  lead: 'Buy a package, generate lines, watch every byte live. The dashboard, a JSON API and an MCP server for assistants show the same account.',
  start: 'Create an account',
  signIn: 'Sign in',
  dashboard: 'Open the dashboard',
  residentialTitle: 'Residential proxies',
  residentialLead: 'One-time packages. Upload and download count; generating lines costs nothing.',
  perGb: 'per GB',
  from: (gb: string) => `from ${gb} GB`,
  sticky: 'Sticky sessions',
  dailyLimit: 'Daily usage limit',
  staticTitle: 'ISP and datacenter proxies',
  staticLead: 'Static, dedicated addresses by the month, without metering, delivered as soon as they are paid.',
  staticOrder: 'Order addresses',
  buy: 'Buy',
  perAddress: 'per address and month',
  inStock: 'In stock',
  vpsTitle: 'Virtual servers',
  vpsLead: 'NVMe storage, a public IPv4 address, 10 Gbps networking, in Frankfurt.',
  dedicatedTitle: 'Dedicated servers',
  dedicatedLead: 'High-end desktop-class CPUs with 10 Gbps networking, in Frankfurt.',
  perMonth: 'per month',
  failed: 'Prices cannot be shown right now.',
  sampleTitle: 'From a key to working lines in one request',
  points: [
    { title: 'Live to the byte', lead: 'Used and remaining GB move while traffic flows, and add up to the last byte.' },
    { title: 'Safe by default', lead: 'Reset a plan’s credentials at once, or cap what it may use in a day.' },
    {
      title: 'Nothing hidden',
      lead: (minutes: number) => `The price you see in an offer is the charge, tax included, for ${minutes} minutes.`,
    },
  ],
  volume: {
    title: 'What a volume costs',
    label: 'Volume',
    gigabytes: (gb: string) => `${gb} GB`,
    valid: (duration: string) => `valid for ${duration}`,
    buy: (gb: string, product: string) => `Buy ${gb} GB of ${product}`,
    tax: 'Before tax, which your country decides; the order form shows the whole charge before you pay.',
  },
  uses: {
    title: 'Which one do I need?',
    cases: [
      {
        title: 'Residential and mobile',
        lead: 'Addresses of homes and phones, paid by the gigabyte.',
        points: [
          'Prices and stock as customers of a place see them',
          'Whether ads and pages are shown where they should be',
          'Many places at once, a new address with each request',
        ],
      },
      {
        title: 'ISP and datacenter',
        lead: 'Addresses of your own, by the month, without metering.',
        points: [
          'Accounts that should always come from one address',
          'Monitoring around the clock',
          'Partners that let known addresses in',
        ],
      },
      {
        title: 'Servers',
        lead: 'Machines beside the proxies, in one account.',
        points: [
          'Crawlers and browsers that run all night',
          'Your own services with a public address',
          'A whole machine where neighbours would be in the way',
        ],
      },
    ],
  },
  questions: {
    title: 'Questions',
    other: 'Something else?',
    list: [
      {
        question: 'What counts as traffic?',
        answer:
          'Upload and download between you and the proxy, to the byte. Generating lines costs nothing, and the dashboard shows where the bytes went: by host, country, session and person.',
        link: { href: '/docs/proxies', label: 'Every rule' },
      },
      {
        question: 'How do I choose a place, and keep an address?',
        answer:
          'In the form, the API or the username itself: country, state, city or network. A rotating line has another address for each connection, a sticky one keeps its address for as long as you choose.',
        link: { href: '/docs/proxies', label: 'The parts of a username' },
      },
      {
        question: 'Which programs can use it?',
        answer:
          'Whatever speaks HTTP or SOCKS5 proxies: browsers, curl, Python, Node, Go, Scrapy, Playwright. Lines come in the formats of the usual tools.',
        link: null,
      },
      {
        question: 'How many connections may I open?',
        answer: (rules: { connectionsPerPlan: number }) =>
          `${rules.connectionsPerPlan.toLocaleString('en')} at once with one package, shared by all of its proxy users.`,
        link: null,
      },
      {
        question: 'How soon is it there?',
        answer:
          'A package works within seconds after it was paid. Addresses and virtual servers are delivered by themselves as well; the page of the order shows each step.',
        link: { href: '/status', label: 'How the service is doing' },
      },
      {
        question: 'Can I give a part to somebody else?',
        answer:
          'Yes: proxy users have a name and password of their own, limits by the day, the month and for good, allowed places and targets, and a page of their use at an address without signing in.',
        link: null,
      },
      {
        question: 'Can a program or an assistant do all that?',
        answer:
          'Yes: there are a JSON API, a GraphQL API with live subscriptions, a command-line tool, webhooks, and an MCP server for AI assistants. They show the same account.',
        link: { href: '/docs', label: 'Documentation' },
      },
      {
        question: 'What is not allowed?',
        answer:
          'Spam, attacks and scans: ports of mail and addresses of private networks are closed. Who used an address at a time can be told to those who may ask.',
        link: { href: '/docs/proxies', label: 'Refused targets' },
      },
    ],
  },
  reference: 'API description',
};
