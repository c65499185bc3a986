// The member states' registers of VAT ids, which are asked through VIES. Each state answers for itself, and each is unavailable at times.
import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import type { Finding } from '#platform/vendor-check.ts';
import { type GuardParts, createGuard } from '#platform/vendor-guard.ts';
import type { VatRegisterTerms } from '../configuration.ts';
import { type VatId, toVatId } from '../domain/vat-id.ts';

export interface VatAnswer {
  valid: boolean;
  consultationNumber: string | null;
  name: string | null;
  address: string | null;
}

export interface VatRegister {
  /** Asks whether an id is valid. Errors: vendor_unavailable, when the register of that member state has no answer now. */
  check(vatId: VatId): Promise<VatAnswer>;
  /** Whether VIES answers, and which member states do not at the moment. Throws. */
  status(): Promise<Finding[]>;
}

/** The register gave no answer. An error about the request counts as none too, since it does not tell whether the id is valid. */
export class VatRegisterTrouble extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`the register of VAT ids answers with ${reason}`);
    this.reason = reason;
  }
}

/** The answer of its status page. */
const statusShape = z.object({
  vow: z.object({ available: z.boolean() }),
  countries: z.array(z.object({ countryCode: z.string(), availability: z.string() })),
});

/** Registers of member states take up to 16 s at times. */
const TIMEOUT_MS = 20 * SECOND;

interface Body {
  valid?: unknown;
  requestIdentifier?: unknown;
  name?: unknown;
  address?: unknown;
  actionSucceed?: unknown;
  errorWrappers?: { error?: unknown }[];
}

/** `seller`: the VAT id of the asking seller, for which the register gives a consultation number; null: the seller has none. */
export function createVatRegister(terms: VatRegisterTerms, seller: VatId | null, parts: GuardParts): VatRegister {
  const { url, timeoutMs = TIMEOUT_MS } = terms;
  const ask = async (vatId: VatId, requester: VatId | null): Promise<VatAnswer> => {
    const response = await fetch(`${url}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        countryCode: vatId.prefix,
        vatNumber: vatId.number,
        ...(requester && { requesterMemberStateCode: requester.prefix, requesterNumber: requester.number }),
      }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    const body = ((await response.json().catch(() => null)) ?? {}) as Body;
    // Errors come with 200 as well as with 400 and 500.
    const error = body.errorWrappers?.[0]?.error;
    if (error !== undefined || body.actionSucceed === false) throw new VatRegisterTrouble(String(error ?? 'no reason'));
    if (!response.ok || typeof body.valid !== 'boolean') throw new VatRegisterTrouble(`status ${response.status}`);
    const { valid, requestIdentifier, name, address } = body;
    return { valid, consultationNumber: wordsOf(requestIdentifier), name: wordsOf(name), address: wordsOf(address) };
  };
  const guard = createGuard(
    { vendor: 'vies', timeoutMs: 2 * timeoutMs, isTrouble: () => true, partOf: ([vatId]) => (vatId as VatId).prefix },
    parts,
  );
  return guard<VatRegister>(
    {
      async check(vatId: VatId) {
        try {
          return await ask(vatId, seller);
        } catch (error) {
          if (!seller || !(error instanceof VatRegisterTrouble) || error.reason !== 'INVALID_REQUESTER_INFO') throw error;
          parts.log.error({ seller }, 'the register of VAT ids does not know SELLER_TAX_ID: it gives no consultation numbers');
          return ask(vatId, null);
        }
      },
      async status() {
        const response = await fetch(`${url}/check-status`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
        if (!response.ok) throw new VatRegisterTrouble(`status ${response.status}`);
        const { vow, countries } = statusShape.parse(await response.json());
        const away = countries.filter(({ availability }) => availability === 'Unavailable').map(({ countryCode }) => countryCode);
        const words = away.length === 0 ? `answers at ${url}` : `answers at ${url}; not of ${away.join(', ')}, which are asked again later`;
        return [{ what: 'register', ok: vow.available, words: vow.available ? words : `is not available at ${url}` }];
      },
    },
    { local: ['status'] },
  );
}

/** Reads a text; dashes stand for what a member state does not disclose. */
const wordsOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' && value !== '---' ? value : null);

/** The seller's tax id as a VAT id, where it is one of its country. */
export const sellersVatId = (country: string | undefined, taxId: string | undefined): VatId | null =>
  (country !== undefined && taxId !== undefined && toVatId(country, taxId)) || null;
