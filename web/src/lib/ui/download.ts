/** Saves a text as a file from memory; nothing is uploaded or asked for again. */
export function downloadText(text: string, name: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the bytes when the click returns to the event loop.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
