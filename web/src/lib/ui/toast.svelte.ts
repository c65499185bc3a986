// Toasts. Their library is loaded with the first one, so that no page waits for it.
import type { Toaster } from 'svelte-sonner';
import { tick } from 'svelte';

let component = $state.raw<typeof Toaster>();

/** The component that shows the toasts, undefined before the first one; the layout mounts it. */
export const toaster = {
  get component(): typeof Toaster | undefined {
    return component;
  },
};

/** The region for toasts is mounted before the first toast is added, so that screen readers announce that one too. */
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
