// The residential products, for platform and nodes. Prices and session lifetimes are not known here: PlanFacts has the lifetimes.

export const PRODUCT_CODES = ['PREMIUM', 'PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL'] as const;
export type ProductCode = (typeof PRODUCT_CODES)[number];
