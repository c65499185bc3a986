/** The classes of all text-like controls; `h-10` is the height of buttons. */
export const controlLook =
  'h-10 w-full min-w-0 rounded-lg border border-edge/60 bg-surface px-3 text-sm text-ink placeholder:text-muted hover:border-edge focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-accent aria-invalid:border-bad disabled:bg-sunken disabled:text-muted disabled:cursor-not-allowed';
