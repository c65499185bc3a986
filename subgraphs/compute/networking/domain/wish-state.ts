/** The state of a setting that an owner wants at a vendor's system: there is none, it is being carried out, it is in force, or that system has trouble. */
export const WISH_STATES = ['NONE', 'PENDING', 'SET', 'FAILED'] as const;
export type WishState = (typeof WISH_STATES)[number];
