// Runs before the first paint, so that no page flashes in the other theme.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Private windows may refuse storage: the system's theme then.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
