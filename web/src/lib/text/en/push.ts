// Of the service worker, which has both languages in it: it loads nothing. Shown where a message says nothing that can be read.
export const push = {
  title: 'News of your account',
  body: 'Open the site to see what has happened.',
};
