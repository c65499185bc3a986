import { LINE_COUNTRIES_MAX } from '../../../../schema/limits.ts';
import type { ProxyRules } from '../../../../schema/proxy-rules.ts';
import type { LinePart } from '../../../../schema/line-parts.ts';

/** What holds with any limits. */
const lasting = {
  title: 'How proxies count and behave',
  lead: 'What a byte is, what ends a connection, what is refused, and everything that a username can say.',

  username: {
    title: 'The username',
    lead: 'Behind the username of the plan, or of a proxy user, come parts of a name and a value, in any order, each once. What is left out does not matter to you. A part that is not known, or is given twice, is refused with 400 and the reason: ignoring it could send traffic from somewhere else.',
    head: ['Part', 'What it says', 'Example'],
    parts: {
      country: `Where the address is: a country code, up to ${LINE_COUNTRIES_MAX} of them with underscores between, eu for Europe, or any. Without it: anywhere.`,
      not: 'Countries where the address is not to be.',
      state: 'A state, with underscores for spaces; needs a single country.',
      city: 'A city, likewise.',
      asn: 'The number of the network that the address is in.',
      session: 'A number or word of your own: the same session keeps its address. Without it each connection gets a fresh one.',
      sessionttl: 'For how many minutes; the product says which are possible. Without it: 60.',
      turn: 'Counted up, it gives the session another address.',
      onlost: 'switch: when the address of the session is lost, another one takes over. fail, as without it: requests fail and say so.',
    } satisfies Record<LinePart, string>,
  },

  counting: {
    title: 'What counts as a byte',
    lead: 'Upload and download both count, and 1 GB is 1,000,000,000 bytes. There is no minimum and no rounding.',
    head: ['What', 'Counts'],
    rows: [
      ['Everything inside a tunnel (CONNECT, SOCKS5): also TLS records and the headers in them', 'yes'],
      ['A request over plain HTTP, and its answer: with their headers, as the target and you get them', 'yes'],
      ['Payload of datagrams over SOCKS5', 'yes'],
      ['The CONNECT request, the SOCKS5 handshake, your log-in', 'no'],
      ['Refused requests, and names that are not found', 'no'],
      ['Headers of TCP and IP, and packets that are sent again', 'no'],
      ['Generating lines, checking a line', 'no'],
      ['The request of a test of a line, as any other: some hundred bytes', 'yes'],
      ['A download that you break off', 'what has reached you, and at most 64 KiB on the way'],
    ],
  },

  quality: {
    title: 'How well a place is served',
    text: [
      'Where lines are generated and in the list of locations stand two figures of a product in a place, of the last hour and of all customers together. Places with fewer than twenty connections have none.',
      'Success is the share of connections to targets that were opened, of those that were opened or that failed by the fault of an exit or for want of one. A target that refuses, has no address or does not answer counts for neither, nor does what is refused before an exit is chosen. A rotating line that failed at one exit and opened by the next counts once, as opened.',
      'First byte is the median of how long it took to open a connection, and then until the first byte of the target came, after the first byte that was sent to it. The way between you and the proxy is not in it; the TLS handshake of a target is its first byte.',
      'A line counts for the country that its exit is in, and for the state and the city that it asks for.',
    ],
  },

  refusals: {
    title: 'What a refusal means',
    lead: 'Each refusal has its code in the headers Proxy-Status and X-Proxy-Error, and a sentence in its body.',
    head: ['Code', 'What to do'],
  },
};

/** `/docs/proxies`, with the limits of this installation. */
export const proxyTexts = (rules: ProxyRules) => ({
  ...lasting,

  limits: {
    title: 'Limits of a connection',
    head: ['What', 'Limit'],
    rows: [
      ['Open connections of one plan on one node; more are refused with 429', rules.connectionsPerPlan.toLocaleString('en')],
      ['Time without a byte in either direction; then the connection ends', `${rules.idleSeconds.toLocaleString('en')} s`],
      ['Time for the head of a request, or the SOCKS5 handshake', `${rules.headSeconds.toLocaleString('en')} s`],
      ['Size of the head of a request', `${rules.headBytes.toLocaleString('en')} bytes`],
      ['Time to reach the target; then 504', `${rules.connectSeconds.toLocaleString('en')} s`],
      ['Time between two requests on one connection', `${rules.keepAliveSeconds.toLocaleString('en')} s`],
    ],
  },

  ends: {
    title: 'When a package ends',
    text: [
      'Used up, at its daily limit, after a reset or a change of a proxy user, every connection that this concerns ends within a second, on every node.',
      `You never use more than you bought. Only a node that has lost us for over a minute could count beyond, at most ${rules.overUseBytes.toLocaleString('en')} bytes of one plan, and that is ours to bear.`,
    ],
  },

  targets: {
    title: 'Targets that are refused',
    text: [
      'Private networks and those of special use, our own machines, and names that lead there, also in part: 403.',
      rules.forbiddenPorts === null
        ? 'Ports of mail, file shares and remote control, and what else is closed for a product: 403 names it.'
        : `Ports: ${rules.forbiddenPorts.join(', ')}.`,
      'Names and addresses on lists of harmful targets: 403 as well.',
    ],
  },
});
