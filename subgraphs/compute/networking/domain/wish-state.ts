/** The state of a wish: there is none, it is being carried out, it is in force, or the vendor's system has trouble. */
export const WISH_STATES = ['NONE', 'PENDING', 'SET', 'FAILED'] as const;
export type WishState = (typeof WISH_STATES)[number];
