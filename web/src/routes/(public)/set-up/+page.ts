import { error } from '@sveltejs/kit';
import { fetchOnce } from '#lib/live.svelte.ts';
import { SetUpOpen } from '#lib/ops/set-up.ts';

// The page is there for a while in the life of a platform, and nobody asks for it twice: it is drawn in the browser.
export const ssr = false;
export const prerender = false;

export async function load(): Promise<void> {
  const { data } = await fetchOnce(SetUpOpen, {});
  if (data && !data.setUpOpen) error(404);
}
