/** How far a wish has come: there is none, it is on its way, it holds, or what should carry it out has trouble. */
export const WISH_STATES = ['NONE', 'PENDING', 'SET', 'FAILED'] as const;
export type WishState = (typeof WISH_STATES)[number];
