import { toast } from './toast.svelte.ts';
import { t } from '#lib/text/index.ts';

/** Copies a text and shows a toast. Plain-HTTP pages have no clipboard API: there a selected textarea is copied. */
export async function copy(text: string, done: string = t.actions.copied): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyBySelection(text)) {
      toast.error(t.errors.copy);
      return false;
    }
  }
  toast.success(done);
  return true;
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'fixed -left-full';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
