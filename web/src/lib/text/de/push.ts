import type { push as english } from '../en/push.ts';

export const push: typeof english = {
  title: 'Neues in Ihrem Konto',
  body: 'Öffnen Sie die Seite, um zu sehen, was geschehen ist.',
};
