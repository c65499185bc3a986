// The only store of the sandbox's crypto processor, and its settings.
import { randomBytes } from 'node:crypto';
import { SANDBOX_STORE } from '#platform/sandbox-terms.ts';

/** The `{storeId}` of every path. */
export const CRYPTO_STORE_ID = SANDBOX_STORE;
export const WEBHOOK_ID = 'SandboxWebhookOfEgress';
export const STORE_NAME = 'Egress';
export const CURRENCY = 'USD';
export const PAYMENT_METHOD = 'BTC-CHAIN';
export const EXPIRATION_MINUTES = 15;
export const MONITORING_MINUTES = 1_440;
/** The number of blocks that a payment needs, by speed policy. */
export const CONFIRMATIONS = { HighSpeed: 0, MediumSpeed: 1, LowMediumSpeed: 2, LowSpeed: 6 } as const;

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** 22 characters, as the processor's ids of invoices and deliveries. */
export const newId = (length = 22): string => Array.from(randomBytes(length), (byte) => BASE58[byte % BASE58.length]).join('');

/** An address of the test network, to which nothing can be sent. */
export const newDestination = (): string => `bcrt1q${randomBytes(19).toString('hex')}`;
