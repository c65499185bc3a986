import type { ApiKey } from '#lib/ops/api-key.ts';

/** The terms of a key as the form edits them. */
export interface EditedTerms {
  kind: ApiKey['kind'];
  scopes: ApiKey['scopes'];
  /** One per line. */
  addresses: string;
}

export const scopeOrder = ['READ', 'GENERATE', 'PLANS', 'SERVERS', 'BILLING', 'WEBHOOKS'] as const satisfies ApiKey['scopes'];

export const newTerms = (from?: Pick<ApiKey, 'kind' | 'scopes' | 'allowedAddresses'>): EditedTerms => ({
  kind: from?.kind ?? 'STANDARD',
  scopes: from?.kind === 'PARTNER' ? [...from.scopes] : ['READ', 'GENERATE'],
  addresses: from?.allowedAddresses.join('\n') ?? '',
});

/** Converts the form's values to the API's input: a standard key has neither scopes nor addresses. */
export const toTermsInput = ({ kind, scopes, addresses }: EditedTerms) =>
  kind === 'PARTNER' ? { kind, scopes, allowedAddresses: addresses.split(/[\s,]+/).filter(Boolean) } : { kind };
