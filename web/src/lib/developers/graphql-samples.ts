// Samples for the graph, each a whole program that runs as it is.
export const querySample = (url: string) => `curl ${url} \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"query":"{ residentialPlans { id username usage { remainingBytes } } }"}'`;

export const documentsSample = (url: string) => `curl ${url}/documents \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"documents":["query Plans { residentialPlans { id status } }"]}'`;

export const subscriptionSample = (url: string) => `// npm install graphql graphql-ws ws
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const client = createClient({
  url: '${url}',
  webSocketImpl: WebSocket,
  connectionParams: { authorization: \`Bearer \${process.env.API_KEY}\` },
});

const usage = client.iterate({
  query: 'subscription { residentialUsageChanged { planId usedBytes remainingBytes asOf } }',
});
for await (const { data, errors } of usage) console.log(errors ?? data);`;
