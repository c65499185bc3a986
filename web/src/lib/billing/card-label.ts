import type { SavedCard } from '#lib/ops/subscription.ts';

/** "Visa ···· 4242, 12/2030". */
export const cardLabel = ({ brand, lastFour, expiryMonth, expiryYear }: SavedCard): string =>
  `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ···· ${lastFour}, ${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
