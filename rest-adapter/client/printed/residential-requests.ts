// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';
import type { ProxyFault } from './residential-lines.ts';

export interface LoggedRequest {
  entry_id: string;
  /** When it was over. */
  at: string;
  duration_ms: number;
  /** Null, as the port: it was refused before it named a target, or carried datagrams. */
  host: string | null;
  port: number | null;
  /** What the client was answered; 200 for a tunnel that stood. Null: the client left before. */
  status: number | null;
  up_bytes: number;
  down_bytes: number;
  /** Where it left from, or was to. */
  country: string | null;
  state: string | null;
  city: string | null;
  /** Null: a rotating line. */
  session: string | null;
  /** user_id; null: the plan's own lines. */
  user: string | null;
  /** Null: it went well, as far as the proxy can tell. */
  error: ProxyFault | null;
}

export interface ListRequestsData {
  /** The product_id of the plan. */
  product: string;
  /** off: none. sampled: all that failed, one in ten of the others. whole: all. */
  mode: 'off' | 'sampled' | 'whole';
  kept: number;
  /** Requests that were to be written down, and for which there was no room. */
  missed: number;
  requests: LoggedRequest[];
}

export interface RequestLog {
  /** The product_id of the plan. */
  product: string;
  /** off: none. sampled: all that failed, one in ten of the others. whole: all. */
  mode: 'off' | 'sampled' | 'whole';
  kept: number;
  /** Requests that were to be written down, and for which there was no room. */
  missed: number;
}

export interface ListRequestsInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** Since then, inclusive. */
  from?: string;
  /** Until then, exclusive. */
  to?: string;
  /** A host with all below it, or an address. */
  host?: string;
  /** What the client was answered. */
  status?: number;
  /** A code, such as target_refused. */
  error?: string;
  /** true: those with an error, or a status of 400 and more. Default: false. */
  failed?: boolean;
  /** user_id of a proxy user. */
  user_id?: string;
  /** The session number of sticky lines. */
  session?: string;
  /** The last entry_id of the answer before. */
  after?: string;
  /** How many at most. Default: 50. */
  limit?: number;
}

export interface SetRequestLogInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** off, sampled or whole. */
  mode: 'off' | 'sampled' | 'whole';
}

export interface DeleteRequestLogInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
}

export const residentialRequestsMethods = (call: Call) => ({
  /**
   * Single requests of one residential plan of the last days, newest first, where its owner keeps a log of them: where they went, what was
   * answered, bytes, exit place, and what was wrong with how to mend it. All filters that are given have to hold. Call it to find out why
   * requests fail. Scope of the key: `read`.
   */
  listRequests: (input: ListRequestsInput, options?: CallOptions): Promise<ListRequestsData> =>
    call<ListRequestsData>({ method: 'GET', path: '/v1/residential/{product_id}/requests' }, input, options),
  /** All that `listRequests` has, page after page. */
  eachLoggedRequest: (input: ListRequestsInput, options?: CallOptions): AsyncGenerator<LoggedRequest> =>
    eachItem<LoggedRequest>(
      call, { method: 'GET', path: '/v1/residential/{product_id}/requests' },
      { by: 'last', list: 'requests', id: 'entry_id' }, input, options,
    ),

  /**
   * Whether single requests of one residential plan are written down from now on: none, those that fail with one in ten of the others, or
   * all. What is there stays for its days. Scope of the key: `plans`.
   */
  setRequestLog: (input: SetRequestLogInput, options?: CallOptions): Promise<RequestLog> =>
    call<RequestLog>({ method: 'PATCH', path: '/v1/residential/{product_id}/request-log' }, input, options),

  /**
   * Deletes all logged requests of one residential plan at once. Whether further ones are written down stays as it is. Scope of the key:
   * `plans`.
   */
  deleteRequestLog: (input: DeleteRequestLogInput, options?: CallOptions): Promise<RequestLog> =>
    call<RequestLog>({ method: 'DELETE', path: '/v1/residential/{product_id}/request-log' }, input, options),
});
