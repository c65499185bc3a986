// Toasts come with the first of them: no page needs their library to be seen.
import type { Toaster } from 'svelte-sonner';
import { tick } from 'svelte';

let component = $state.raw<typeof Toaster>();

/** What shows the toasts, once there was one; the layout mounts it. */
export const toaster = {
  get component(): typeof Toaster | undefined {
    return component;
  },
};

/** The place for toasts is on the page before the first one, so that screen readers, which listen to it, say that one too. */
async function show(kind: 'success' | 'error', message: string): Promise<void> {
  const library = await import('svelte-sonner');
  component = library.Toaster;
  await tick();
  library.toast[kind](message);
}

/** A short message in the corner of the page. */
export const toast = {
  success: (message: string): void => void show('success', message),
  error: (message: string): void => void show('error', message),
};
