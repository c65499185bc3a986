// What a key may do, and from where. A standard key may read and generate; a partner key has scopes of its own and may be limited to client addresses.
import ipaddr from 'ipaddr.js';
import { because, fail } from '#platform/errors.ts';
import type { Scope } from '#platform/identity.ts';
import type { ApiKeyKind } from './api-key.ts';

export interface ApiKeyTerms {
  kind: ApiKeyKind;
  scopes: Scope[];
  /** Addresses and networks (203.0.113.7, 2001:db8::/32); empty: from anywhere. */
  allowedAddresses: string[];
}

/** Spec, Resources: the scopes that its endpoints need. */
const STANDARD_SCOPES: readonly Scope[] = ['read', 'generate'];
/** Spec is silent: the most addresses of a key. */
const MAX_ADDRESSES = 50;

/** The terms as they are stored. Throws `parameter_invalid`. */
export function checkTerms({
  kind,
  scopes,
  allowedAddresses,
}: {
  kind: ApiKeyKind;
  scopes?: readonly Scope[] | null | undefined;
  allowedAddresses?: readonly string[] | null | undefined;
}): ApiKeyTerms {
  const addresses = [...new Set((allowedAddresses ?? []).map((address) => address.trim()))];
  if (kind === 'STANDARD') {
    if (scopes?.length || addresses.length > 0)
      throw fail('parameter_invalid', { field: 'kind', reason: because('key_standard_is_plain') });
    return { kind, scopes: [...STANDARD_SCOPES], allowedAddresses: [] };
  }
  if (!scopes?.length) throw fail('parameter_invalid', { field: 'scopes', reason: because('key_scopes_missing') });
  if (addresses.length > MAX_ADDRESSES)
    throw fail('parameter_invalid', { field: 'allowedAddresses', reason: because('key_addresses_too_many', { max: MAX_ADDRESSES }) });
  const wrong = addresses.find((address) => !ipaddr.isValid(address) && !ipaddr.isValidCIDR(address));
  if (wrong !== undefined)
    throw fail('parameter_invalid', { field: 'allowedAddresses', reason: because('key_address_unfit', { address: wrong }) });
  return { kind, scopes: [...new Set(scopes)], allowedAddresses: addresses };
}

/** Whether a key that is limited to these addresses works from this one. An IPv4-mapped IPv6 address counts as IPv4. */
export function isAllowedFrom(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return allowed.some((entry) => {
    if (!entry.includes('/')) return ipaddr.process(entry).toNormalizedString() === client.toNormalizedString();
    const [network, bits] = ipaddr.parseCIDR(entry);
    return network.kind() === client.kind() && client.match(network, bits);
  });
}
