// Printed by `npm run client` from the endpoint objects; not edited by hand.

/** Codes of today: they are only ever added. */
export type ErrorCode =
  | 'account_suspended'
  | 'action_not_allowed'
  | 'address_not_allowed'
  | 'api_not_allowed'
  | 'backup_not_found'
  | 'batch_not_found'
  | 'batch_outdated'
  | 'billing_country_required'
  | 'city_unknown'
  | 'forbidden'
  | 'hold_too_large'
  | 'idempotency_conflict'
  | 'idempotency_in_flight'
  | 'internal'
  | 'key_ceiling_reached'
  | 'key_expired'
  | 'key_malformed'
  | 'key_missing'
  | 'key_revoked'
  | 'key_unknown'
  | 'limit_invalid'
  | 'method_not_allowed'
  | 'network_not_found'
  | 'not_acceptable'
  | 'not_sold'
  | 'offer_expired'
  | 'offer_invalid'
  | 'offer_ordered'
  | 'offer_tax_changed'
  | 'order_not_found'
  | 'order_refused'
  | 'out_of_stock'
  | 'overloaded'
  | 'page_invalid'
  | 'parameter_invalid'
  | 'parameter_missing'
  | 'parameter_repeated'
  | 'plan_expired'
  | 'plan_not_found'
  | 'pool_unknown'
  | 'product_type_unknown'
  | 'proxy_user_not_found'
  | 'proxy_users_full'
  | 'quantity_invalid'
  | 'rate_limited'
  | 'request_too_large'
  | 'reverse_names_not_available'
  | 'server_not_found'
  | 'server_operation_not_found'
  | 'servers_not_sold'
  | 'state_unknown'
  | 'targeting_needs_country'
  | 'time_not_allowed'
  | 'too_many_attempts'
  | 'too_many_webhooks'
  | 'webhook_event_not_found'
  | 'webhook_not_found';

/** `meta` of an error. */
export interface ErrorMeta {
  code: ErrorCode;
  request_id: string;
  /** The parameter that is wrong. */
  field?: string;
  /** Values that would be accepted, or the nearest of them. */
  allowed?: (string | number)[];
  /** The same request may succeed later. */
  retryable?: boolean;
  retry_after_seconds?: number;
  /** Why, where message says more than the code does: one of a closed list. */
  reason_code?: string;
  /** What the sentence of reason_code names, to say it in another language. */
  params?: Record<string, string | number>;
  /** What the key would need. */
  required_scope?: 'read' | 'generate' | 'plans' | 'servers' | 'billing' | 'webhooks';
  /** Everything that is wrong, where it is more than one thing. */
  faults?: Record<string, unknown>[];
  /** Path of the page about the code. */
  docs?: string;
}
