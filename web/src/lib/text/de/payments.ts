export * from './billing.ts';
export * from './checkout.ts';
export * from './payment-methods.ts';
export * from './sales.ts';
export * from './subscriptions.ts';
