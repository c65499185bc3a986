// What the reader may see of the home page's overview: a member of a team without the bills sees the rest.
import { acting } from '#lib/acting.svelte.ts';

export const homeAsks = () => ({ bills: acting.may('BILLING') });
