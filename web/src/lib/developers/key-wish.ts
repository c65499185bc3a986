import type { ApiKey } from '#lib/ops/api-key.ts';

/** What somebody wants a key to be, as the form has it. */
export interface Wish {
  kind: ApiKey['kind'];
  scopes: ApiKey['scopes'];
  /** One a line. */
  addresses: string;
}

export const scopeOrder = ['READ', 'GENERATE', 'SERVERS', 'BILLING'] as const satisfies ApiKey['scopes'];

export const newWish = (from?: Pick<ApiKey, 'kind' | 'scopes' | 'allowedAddresses'>): Wish => ({
  kind: from?.kind ?? 'STANDARD',
  scopes: from?.kind === 'PARTNER' ? [...from.scopes] : ['READ', 'GENERATE'],
  addresses: from?.allowedAddresses.join('\n') ?? '',
});

/** As the API takes it: a standard key has neither scopes nor addresses of its own. */
export const termsOf = ({ kind, scopes, addresses }: Wish) =>
  kind === 'PARTNER' ? { kind, scopes, allowedAddresses: addresses.split(/[\s,]+/).filter(Boolean) } : { kind };
