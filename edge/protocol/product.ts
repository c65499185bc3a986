// The residential products as platform and node name them. What one costs and how long its sessions last is the seller's matter: PlanFacts carries
// the times.

export const PRODUCT_CODES = ['PREMIUM', 'PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL'] as const;
export type ProductCode = (typeof PRODUCT_CODES)[number];
