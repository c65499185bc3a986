import { z } from 'zod';
import { defineEndpoint, toId } from '../endpoint.ts';
import { EXAMPLE_BATCH, PROXY_BATCH, PROXY_BATCH_FIELDS, type ProxyBatchResult, toProxyBatch } from './proxy-batch.ts';

/** Not in the Spec. The lines of an earlier generation again. */
export const getProxyBatch = defineEndpoint({
  path: '/v1/residential-batches/{batch_id}',
  formerPath: '/v1/residential/batches/{batch_id}',
  tool: 'get_proxy_batch',
  title: 'Get a proxy batch',
  description:
    'The lines of an earlier generation again, byte for byte, by its batch_id. After a reset of the password they do not work any more: generate new ones.',
  message: 'Proxies read.',
  scope: 'generate',
  input: z.object({ batch: z.string().describe('Identifier of the generation (batch_id).') }),
  restNames: { batch: 'batch_id' },
  refusals: { batch: { code: 'batch_not_found' } },
  codes: ['batch_outdated', 'plan_expired'],
  output: PROXY_BATCH,
  outputName: 'ProxyBatch',
  readOnly: true,
  operation: /* GraphQL */ `
    query GetProxyBatch($id: ID!) {
      residentialProxyBatch(id: $id) {
        ${PROXY_BATCH_FIELDS}
      }
    }
  `,
  variables: ({ batch }) => ({ id: toId(batch) }),
  data: ({ residentialProxyBatch }: { residentialProxyBatch: ProxyBatchResult }) => toProxyBatch(residentialProxyBatch),
  example: { input: { batch: EXAMPLE_BATCH.batch_id }, data: EXAMPLE_BATCH },
});
