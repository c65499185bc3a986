/** The first words of the paths of pages of an account; the browser draws them. */
export const ACCOUNT_PAGES = [
  'home',
  'residential',
  'static',
  'servers',
  'billing',
  'orders',
  'checkout',
  'developers',
  'settings',
  'support',
] as const;
