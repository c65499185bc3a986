import type { EntryGenerator } from './$types';

/** No page links to a text that is not published yet: all of them are drawn all the same. */
export const entries: EntryGenerator = () => [{ kind: 'terms' }, { kind: 'privacy' }, { kind: 'imprint' }];
