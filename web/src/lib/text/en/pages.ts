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
