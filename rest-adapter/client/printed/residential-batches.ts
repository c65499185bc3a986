// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import type { ProxyBatch } from './residential.ts';

export interface GetProxyBatchInput {
  /** Identifier of the generation (batch_id). */
  batch_id: string;
}

export const residentialBatchesMethods = (call: Call) => ({
  /**
   * The lines of an earlier generation again, byte for byte, by its batch_id. After a reset of the password they do not work any more:
   * generate new ones. Scope of the key: `generate`.
   */
  getProxyBatch: (input: GetProxyBatchInput, options?: CallOptions): Promise<ProxyBatch> =>
    call<ProxyBatch>({ method: 'GET', path: '/v1/residential-batches/{batch_id}' }, input, options),
});
