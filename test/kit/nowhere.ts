import type { Vendors } from '#platform/vendors.ts';

/** Vendors that nobody plays: what reaches for one fails at once. */
export const NOWHERE: Vendors = {
  card: { secretKey: 'sk_test_nowhere', webhookSecrets: ['whsec_nowhere'], apiUrl: 'http://127.0.0.1:9' },
  smtpUrl: 'smtp://127.0.0.1:9',
};
