export * from './legal.ts';
export * from './own-price.ts';
export * from './plan-label.ts';
export * from './residential.ts';
export * from './shell.ts';
