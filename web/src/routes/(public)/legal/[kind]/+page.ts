import type { EntryGenerator } from './$types';

/** All kinds are drawn, also those whose text is not published yet, to which no page links. */
export const entries: EntryGenerator = () => [{ kind: 'terms' }, { kind: 'privacy' }, { kind: 'imprint' }];
