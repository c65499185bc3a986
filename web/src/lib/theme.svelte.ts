// The choice is stored under `theme`; static/theme.js applies it before the first paint.
let dark = $state(typeof document !== 'undefined' && document.documentElement.classList.contains('dark'));

export const theme = {
  get dark() {
    return dark;
  },
  toggle() {
    dark = !dark;
    document.documentElement.classList.toggle('dark', dark);
    try {
      localStorage.setItem('theme', dark ? 'dark' : 'light');
    } catch {
      // Private windows may refuse storage: the choice then lasts until the page is left.
    }
  },
};
