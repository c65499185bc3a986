import type { SavedCard } from '#lib/ops/subscription.ts';
import { paymentMethods } from '#lib/payment-methods/payment-methods.ts';

/** "Visa ···· 4242, 12/2030"; for a method without a number, "PayPal, ada@example.com". */
export const cardLabel = ({ brand, lastFour, expiryMonth, expiryYear, method, holder }: SavedCard): string => {
  if (lastFour === '') return [paymentMethods[method].text.name, ...(holder ? [holder] : [])].join(', ');
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ···· ${lastFour}, ${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
};
