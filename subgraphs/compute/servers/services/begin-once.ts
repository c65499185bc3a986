// A request with an idempotency key begins one operation, however often it is sent: repeats get that operation. draft-ietf-httpapi-idempotency-key-header; what is
// refused frees its key, and keys are forgotten after a day, as with https://docs.stripe.com/api/idempotent_requests.
import { DAY, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { checkIdempotencyKey } from '#platform/idempotency-key.ts';
import { type SigningKeys, isSigned, macOf } from '#platform/mac.ts';
import type { SealingKeys } from '#platform/sealing.ts';
import { deleteRequests, keepRequest, lockIdempotencyKey, requestWithKey } from '../../operations/entities/idempotent-request.ts';
import { type OperationRow, operationsByIds } from '../../operations/entities/operation.ts';
import type { ServersContext } from '../context.ts';

const KEPT_MS = DAY;

/** Keys of previous secrets as well: a secret may be replaced between a request and its repeat. */
const signingKeys = ([present, ...previous]: SealingKeys): SigningKeys<Buffer> => [present.key, ...previous.map(({ key }) => key)];

/**
 * Calls `begin` once per account and key, within the transaction of `tx`; without a key, always. A repeat gets the operation of the first call, however it stands
 * by then. `request`: everything that determines the effect. Errors: parameter_invalid, idempotency_conflict with another request, and those of `begin`.
 */
export async function beginOnce(
  tx: ServersContext,
  { key, request }: { key: string | undefined; request: readonly unknown[] },
  begin: () => Promise<OperationRow>,
): Promise<OperationRow> {
  if (key === undefined) return begin();
  checkIdempotencyKey(key);
  const { em, clock, providers } = tx;
  const [id, keys, at] = [{ accountId: accountOf(tx), key }, signingKeys(providers.sealing), clock.now()];
  const text = `compute.idempotent_request ${JSON.stringify(request)}`;
  await lockIdempotencyKey(em, id);
  const known = await requestWithKey(em, id, after(at, -KEPT_MS));
  if (known && !isSigned(keys, text, known.requestMac)) throw fail('idempotency_conflict', { field: 'idempotencyKey' });
  const [begun] = known ? await operationsByIds(em, [known.operationId]) : [];
  if (begun) return begun;
  const operation = await begin();
  await keepRequest(em, { ...id, requestMac: macOf(keys, text), operationId: operation.id, at });
  return operation;
}

/** Deletes requests that are no longer kept. */
export const forgetRequests = ({ em, clock }: ServersContext): Promise<void> => deleteRequests(em, after(clock.now(), -KEPT_MS));
