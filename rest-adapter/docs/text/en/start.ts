import { MCP_TOOLS } from '../../../../schema/limits.ts';
import { RATE_LIMIT } from '../../../../gateway/http/rate-limit.ts';
import { GRAPHQL_SAMPLE, LINE_SAMPLE, REST_SAMPLE } from '../samples.ts';

/** `/docs`. */
export const start = {
  title: 'Documentation',
  lead: 'From an account to traffic, and everything from code.',
  sections: [
    {
      title: 'From an account to the first line',
      text: [
        'Create an account and confirm your address. Buy a [residential package](/docs/residential): it is ready seconds after the payment, and generating lines costs no bandwidth.',
        '[ISP and datacenter proxies](/docs/static), [virtual](/docs/vps) and [dedicated servers](/docs/dedicated) are subscriptions: they are delivered by themselves and renew until you cancel.',
      ],
      code: null,
    },
    {
      title: 'A line, and traffic through it',
      text: [
        'A line is host, port, username and password, separated by colons. The port decides between HTTP and SOCKS5. What you want of the address stands in the username: [each part of it](/docs/proxies).',
      ],
      code: LINE_SAMPLE,
    },
    {
      title: 'REST',
      text: [
        `Support issues keys on request; a key is shown whole once. Every key may send ${RATE_LIMIT} requests a minute, and every answer says how many are left. Errors carry a code and a request id: [the reference](/docs/api), [limits](/docs/limits), [errors](/docs/errors).`,
      ],
      code: REST_SAMPLE,
    },
    {
      title: 'Assistants',
      text: [
        `${MCP_TOOLS} tools over Streamable HTTP, with the same key or by signing in: [how each assistant is connected](/docs/assistants).`,
      ],
      code: null,
    },
    {
      title: 'GraphQL',
      text: [
        'The graph that the dashboard itself uses, with live subscriptions: [how to ask it](/docs/graphql). The explorer opens at [/graphql](/graphql).',
      ],
      code: GRAPHQL_SAMPLE,
    },
    {
      title: 'Told, instead of asking',
      text: [
        '[Webhooks](/docs/webhooks) tell what happens to an account, signed, at least once and in order. [A typed client and a command](/docs/clients) spare the rest.',
      ],
      code: null,
    },
  ],
};
