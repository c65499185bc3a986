import { error } from '@sveltejs/kit';
import { fetchOnce } from '#lib/live.svelte.ts';
import { SetUpOpen } from '#lib/ops/set-up.ts';

// Drawn in the browser, since the page exists only until the platform has its first member of staff.
export const ssr = false;
export const prerender = false;

export async function load(): Promise<void> {
  const { data } = await fetchOnce(SetUpOpen, {});
  if (data && !data.setUpOpen) error(404);
}
