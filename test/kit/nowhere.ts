import type { Vendors } from '#platform/vendors.ts';
import type { CardTerms } from '../../subgraphs/accounts/billing/payments/providers/card/configuration.ts';
import type { CryptoTerms } from '../../subgraphs/accounts/billing/payments/providers/crypto/configuration.ts';
import type { PayPalTerms } from '../../subgraphs/accounts/billing/payments/providers/paypal/configuration.ts';
import type { IdentityVendorTerms } from '../../subgraphs/accounts/billing/risk/configuration.ts';
import type { VatRegisterTerms } from '../../subgraphs/accounts/billing/tax/configuration.ts';
import type { ChatTerms } from '../../subgraphs/accounts/identity/configuration.ts';
import type { MailTerms } from '../../subgraphs/accounts/mail/configuration.ts';
import type { MetalTerms } from '../../subgraphs/compute/machines/configuration.ts';
import type { NameServerTerms, RouterTerms } from '../../subgraphs/compute/networking/configuration.ts';
import type { HypervisorTerms } from '../../subgraphs/compute/machines/hypervisor-configuration.ts';

/** Vendor -> its configuration. An absent vendor is neither configured nor simulated by the sandbox. */
export interface GivenVendors {
  card: CardTerms;
  mail: MailTerms;
  crypto?: CryptoTerms;
  paypal?: PayPalTerms;
  chat?: ChatTerms;
  hypervisor?: HypervisorTerms;
  metal?: MetalTerms;
  names?: NameServerTerms;
  border?: RouterTerms;
  vies?: VatRegisterTerms;
  identity?: IdentityVendorTerms;
}

/** Vendors with these configurations and no others, whatever the settings say. */
export const givenVendors = (given: GivenVendors): Vendors => ({ of: ({ name }) => given[name as keyof GivenVendors] as never });

/** Vendors at an address where nothing listens: a call to one fails at once. */
export const NOWHERE: GivenVendors = {
  card: { secretKey: 'sk_test_nowhere', webhookSecrets: ['whsec_nowhere'], apiUrl: 'http://127.0.0.1:9' },
  mail: { url: 'smtp://127.0.0.1:9' },
};
