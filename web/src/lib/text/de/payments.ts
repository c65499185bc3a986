export * from './billing.ts';
export * from './checkout.ts';
export * from './coupons.ts';
export * from './payment-methods.ts';
export * from './sales.ts';
export * from './subscriptions.ts';
