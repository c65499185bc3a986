import { z } from 'zod';
import { defineEndpoint, planId, toId } from '../endpoint.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

interface Renewal {
  proxySessionRenew: { session: string; renewed: number };
}

/** Not in the Spec. Another address for a live sticky session, under the same line. */
export const renewProxySession = defineEndpoint({
  method: 'POST',
  path: '/v1/residential/{product_id}/sessions/{session}/renew',
  tool: 'renew_proxy_session',
  title: 'Get a new address for a session',
  description:
    'Another address for a live sticky session, under the same lines: new connections leave from it at once, on every proxy node, for the whole time of ' +
    'the line. What is open goes on from the old one. `renewed` says how many were alive, one for each place and proxy user that uses the number.',
  message: 'The session has a new address.',
  scope: 'generate',
  input: z.object({
    product: planId(),
    session: z.string().describe('The number of the session, as it stands in the username: the word after -session-.'),
  }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: [],
  output: z.object({ session: z.string(), renewed: z.number().int() }),
  readOnly: false,
  operation: /* GraphQL */ `
    mutation RenewProxySession($planId: ID!, $session: String!) {
      proxySessionRenew(planId: $planId, session: $session) {
        session
        renewed
      }
    }
  `,
  variables: ({ product, session }) => ({ planId: toId(product), session: toId(session) }),
  data: ({ proxySessionRenew: { session, renewed } }: Renewal) => ({ session, renewed }),
  note: (_input, data) =>
    (data as { renewed: number }).renewed === 0 ? 'No session with this number is alive: its next connection begins one.' : undefined,
  example: { input: { product: EXAMPLE_PLAN, session: '51742083' }, data: { session: '51742083', renewed: 1 } },
});
