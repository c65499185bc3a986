/** Saves a text from memory as a file, without a request. */
export function downloadText(text: string, name: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The click starts the download; the URL is kept for a while, until the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
