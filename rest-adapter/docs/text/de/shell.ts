import type { shell as english } from '../en/shell.ts';

export const shell: typeof english = {
  documentation: 'Dokumentation',
  contents: 'Seiten',
  skip: 'Zum Inhalt springen',
  search: 'Dokumentation durchsuchen',
  find: 'Suchen',
  found: (count, wanted) =>
    count === 0
      ? `Keine Seite enthält alles von „${wanted}“.`
      : `${count} ${count === 1 ? 'Seite enthält' : 'Seiten enthalten'} „${wanted}“.`,
  nothingAsked: 'Wörter, die auf einer Seite stehen: eine Operation, ein Code, ein Teil eines Benutzernamens.',
  more: (count) => `${count} weitere enthalten es: Geben Sie ein weiteres Wort ein.`,
  groups: { products: 'Produkte', api: 'API', help: 'Hilfe' },
  links: {
    '/docs/api': 'Referenz',
    '/docs/assistants': 'Assistenten',
    '/docs/changes': 'Änderungen',
    '/docs/clients': 'Client und Kommando',
    '/docs/dedicated': 'Dedizierte Server',
    '/docs/errors': 'Fehler',
    '/docs/graphql': 'GraphQL',
    '/docs/limits': 'Grenzen und Einheiten',
    '/docs/proxies': 'Wie Proxys zählen',
    '/docs/residential': 'Residential-Proxys',
    '/docs/static': 'ISP und Datacenter',
    '/docs/vps': 'Virtuelle Server',
    '/docs/webhooks': 'Webhooks',
  },
  status: 'Status',
  dashboard: 'Oberfläche',
  asMarkdown: 'Diese Seite als Markdown',
  english: 'Diese Seite gibt es nur auf Englisch.',
};
