import { MCP_TOOLS } from '../../../../../schema/limits.ts';
import type * as en from '../en/pages.ts';
import { installation } from '#lib/installation.ts';

const { limits } = installation;

export const docs: typeof en.docs = {
  title: 'Dokumentation',
  lead: 'Vom Konto zum Verkehr, und alles aus dem Code.',
  contents: 'Auf dieser Seite',
  sections: [
    {
      id: 'start',
      title: 'Beginnen',
      text: [
        'Legen Sie ein Konto an und bestätigen Sie Ihre Adresse. Kaufen Sie ein Residential-Paket: Es ist Sekunden nach der Zahlung bereit, und Zeilen zu erzeugen kostet kein Datenvolumen.',
        'ISP- und Datacenter-Proxys, virtuelle und dedizierte Server sind Abonnements: Sie werden von selbst geliefert und verlängern sich, bis Sie kündigen.',
      ],
      code: '',
    },
    {
      id: 'lines',
      title: 'Proxy-Zeilen',
      text: [
        'Eine Zeile besteht aus Host, Port, Benutzername und Passwort, durch Doppelpunkte getrennt. Der Port entscheidet zwischen HTTP und SOCKS5. Was Sie von der Adresse wollen, steht im Benutzernamen:',
        'country nimmt bis zu 20 Codes mit Unterstrichen dazwischen: Die Adresse liegt in irgendeinem davon, und eine Sitzung bleibt in dem Land, das sie bekommen hat. not nimmt Länder von der Welt oder von Europa aus. turn gibt einer Sitzung eine andere Adresse ohne neue Nummer: Zählen Sie um eins hoch, jeder Wechsel hat seine eigene Dauer. Eine Sitzung, die vorbei ist, beginnt unter ihrer Nummer binnen eines Tages an einer anderen Adresse neu.',
      ],
      code: 'USER-country-de-session-40217735-sessionttl-60\nUSER-country-de-session-40217735-sessionttl-60-onlost-switch\nUSER-country-de-session-40217735-sessionttl-60-turn-1\nUSER-country-us-state-new_york-city-new_york_city\nUSER-country-de_fr_it\nUSER-country-any-not-us_ca',
    },
    {
      id: 'traffic',
      title: 'Verkehr senden',
      text: [
        'Wechselnde Zeilen nehmen für jede Verbindung eine neue Adresse: bei einfachem HTTP für jede Anfrage, bei HTTPS und SOCKS5 für jeden Tunnel. Sie sind alle gleich, eine genügt also. Feste Zeilen behalten ihre für die Minuten in sessionttl; eine andere Sitzungsnummer ist eine andere Adresse. Fällt die Adresse einer festen Zeile vorher aus, scheitern Anfragen und sagen es; mit onlost-switch im Benutzernamen übernimmt eine andere.',
      ],
      code: 'curl -x http://HOST:PORT -U "USER-country-de:PASSWORD" https://example.com/',
    },
    {
      id: 'usage',
      title: 'Was zählt',
      text: [
        'Upload und Download zählen beide, aufs Byte; 1 GB sind 1.000.000.000 Bytes. Es gibt kein Minimum. Ein aufgebrauchtes Paket endet, und sein Verlauf bleibt lesbar.',
        'Ein Tageslimit pausiert ein Paket bis 00:00 UTC. Wer die Zugangsdaten zurücksetzt, beendet sofort jede Zeile von vorher; ein Standort, den wir gerade nicht erreichen, hört von selbst auf oder sobald er zurück ist.',
      ],
      code: '',
    },
    {
      id: 'refusals',
      title: 'Wenn der Proxy ablehnt',
      text: [
        '407: falscher Benutzername oder falsches Passwort, vielleicht von vor einer Zurücksetzung. 402: Das Paket ist aufgebraucht. 403: Das Ziel ist nicht erlaubt. 429: Das Tageslimit ist erreicht, mit den Sekunden, bis es weitergeht. 502, 503 und 504: Das Ziel oder der Ausgang hat nicht geantwortet. Den Grund nennt jeweils der Header Proxy-Status, und die Zeilenprüfung in der Oberfläche nennt jeden.',
      ],
      code: '',
    },
    {
      id: 'rest',
      title: 'REST-API',
      text: [
        `Schlüssel stellt der Support auf Anfrage aus; ein Schlüssel wird einmal ganz gezeigt. Jeder darf ${limits.requestsPerMinute} Anfragen je Minute senden, und jede Antwort sagt, wie viele übrig sind. Fehler tragen einen Code und eine Anfragenummer.`,
      ],
      code: 'curl -H "Authorization: Bearer $API_KEY" ORIGIN/v1/residential\ncurl -H "Authorization: Bearer $API_KEY" \\\n  "ORIGIN/v1/residential/$PLAN/proxies?sticky=true&pool=Germany&quantity=10"',
    },
    {
      id: 'mcp',
      title: 'MCP für Assistenten',
      text: [`${MCP_TOOLS} Werkzeuge über Streamable HTTP mit demselben Schlüssel. In Claude Code zum Beispiel:`],
      code: 'claude mcp add --transport http proxies ORIGIN/mcp \\\n  --header "Authorization: Bearer $API_KEY"',
    },
    {
      id: 'graphql',
      title: 'GraphQL',
      text: [
        'Der Graph, den auch die Oberfläche benutzt, mit Live-Abonnements über WebSocket. Der Explorer öffnet sich unter /graphql; Beispiele stehen unter „Entwickler“.',
      ],
      code: 'curl ORIGIN/graphql \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d \'{"query":"{ residentialPlans { id username } }"}\'',
    },
    {
      id: 'servers',
      title: 'Server',
      text: [
        'Ein VPS ist in ein, zwei Minuten gebaut, ein dedizierter Server meist in wenigen Stunden. Linux-Images haben einen Benutzer, der nach ihrer Familie heißt, Windows hat Administrator; das Passwort steht in der Oberfläche. Ein gestoppter Server bleibt reserviert und wird berechnet.',
        'Nach einer Kündigung bleibt ein Server bis zum Ende des Bezahlten; dann werden seine Daten endgültig gelöscht.',
      ],
      code: '',
    },
  ],
  reference:
    'Die ganze API mit Anfragen zum Ausprobieren steht in der Oberfläche unter „Entwickler“. Ohne Anmeldung zu lesen, und für Programme (englisch):',
  references: [
    { href: '/docs/proxies', title: 'Proxys: Was zählt und was abgelehnt wird' },
    { href: '/docs/api', title: 'Referenz' },
    { href: '/docs/graphql', title: 'GraphQL' },
    { href: '/docs/webhooks', title: 'Webhooks' },
    { href: '/docs/limits', title: 'Grenzen' },
    { href: '/docs/errors', title: 'Fehler' },
    { href: '/openapi.json', title: 'openapi.json' },
    { href: '/llms.txt', title: 'llms.txt' },
  ],
};

export const landing: typeof en.landing = {
  metaTitle: 'Proxys und Server, nach Gigabyte und nach Monat',
  metaDescription:
    'Residential- und Mobil-Proxys nach Gigabyte, VPS und dedizierte Server in Frankfurt, eine API und ein MCP-Server für Assistenten.',
  headline: 'Proxys nach Gigabyte. Server nach Monat.',
  lead: 'Paket kaufen, Zeilen erzeugen, jedes Byte live sehen. Die Oberfläche, eine JSON-API und ein MCP-Server für Assistenten zeigen dasselbe Konto.',
  start: 'Konto anlegen',
  signIn: 'Anmelden',
  dashboard: 'Zur Oberfläche',
  residentialTitle: 'Residential-Proxys',
  residentialLead: 'Einmalige Pakete. Upload und Download zählen; Zeilen zu erzeugen kostet nichts.',
  perGb: 'je GB',
  from: (gb: string) => `ab ${gb} GB`,
  sticky: 'Feste Sitzungen',
  dailyLimit: 'Tageslimit',
  staticTitle: 'ISP- und Datacenter-Proxys',
  staticLead: 'Feste, eigene Adressen im Monatsabonnement, ohne Zählung, geliefert, sobald sie bezahlt sind.',
  staticOrder: 'Adressen bestellen',
  buy: 'Kaufen',
  perAddress: 'je Adresse und Monat',
  inStock: 'Vorrätig',
  vpsTitle: 'Virtuelle Server',
  vpsLead: 'NVMe-Speicher, eine öffentliche IPv4-Adresse, 10-Gbit/s-Netz, in Frankfurt.',
  dedicatedTitle: 'Dedizierte Server',
  dedicatedLead: 'Schnelle Desktop-CPUs mit 10-Gbit/s-Netz, in Frankfurt.',
  perMonth: 'im Monat',
  failed: 'Die Preise lassen sich gerade nicht anzeigen.',
  sampleTitle: 'Vom Schlüssel zu fertigen Zeilen mit einer Anfrage',
  points: [
    { title: 'Live bis aufs Byte', lead: 'Verbrauchte und verbleibende GB bewegen sich mit dem Verkehr und stimmen bis aufs letzte Byte.' },
    {
      title: 'Sicher von Haus aus',
      lead: 'Setzen Sie die Zugangsdaten eines Pakets sofort zurück, oder begrenzen Sie den Verbrauch eines Tages.',
    },
    {
      title: 'Nichts versteckt',
      lead: (minutes) => `Der Preis im Angebot ist der, der belastet wird, Steuer inbegriffen, für ${minutes} Minuten.`,
    },
  ],
  volume: {
    title: 'Was eine Menge kostet',
    label: 'Menge',
    gigabytes: (gb: string) => `${gb} GB`,
    valid: (duration: string) => `gültig für ${duration}`,
    buy: (gb: string, product: string) => `${gb} GB ${product} kaufen`,
    tax: 'Vor Steuern, die sich nach Ihrem Land richten; das Bestellformular zeigt den ganzen Betrag, bevor Sie zahlen.',
  },
  uses: {
    title: 'Was brauche ich?',
    cases: [
      {
        title: 'Residential und mobil',
        lead: 'Adressen von Haushalten und Telefonen, bezahlt je Gigabyte.',
        points: [
          'Preise und Bestände, wie Kunden an einem Ort sie sehen',
          'Ob Anzeigen und Seiten dort erscheinen, wo sie sollen',
          'Viele Orte zugleich, eine neue Adresse je Anfrage',
        ],
      },
      {
        title: 'ISP und Datacenter',
        lead: 'Eigene Adressen für einen Monat, ohne Zählung.',
        points: [
          'Konten, die immer von einer Adresse kommen sollen',
          'Überwachung rund um die Uhr',
          'Partner, die nur bekannte Adressen einlassen',
        ],
      },
      {
        title: 'Server',
        lead: 'Maschinen neben den Proxys, in einem Konto.',
        points: [
          'Crawler und Browser, die die ganze Nacht laufen',
          'Eigene Dienste mit öffentlicher Adresse',
          'Eine ganze Maschine, wo Nachbarn stören würden',
        ],
      },
    ],
  },
  questions: {
    title: 'Fragen',
    other: 'Etwas anderes?',
    list: [
      {
        question: 'Was zählt als Verbrauch?',
        answer:
          'Upload und Download zwischen Ihnen und dem Proxy, auf das Byte. Zeilen zu erzeugen kostet nichts, und das Dashboard zeigt, wofür die Bytes verbraucht wurden: nach Host, Land, Session und Person.',
        link: { href: '/docs/proxies', label: 'Alle Regeln' },
      },
      {
        question: 'Wie wähle ich einen Ort und behalte eine Adresse?',
        answer:
          'Im Formular, über die API oder im Benutzernamen selbst: Land, Bundesstaat, Stadt oder Netz. Eine rotierende Zeile hat für jede Verbindung eine andere Adresse, eine feste behält ihre so lange, wie Sie wählen.',
        link: { href: '/docs/proxies', label: 'Die Teile eines Benutzernamens' },
      },
      {
        question: 'Welche Programme können das benutzen?',
        answer:
          'Alles, was HTTP- oder SOCKS5-Proxys spricht: Browser, curl, Python, Node, Go, Scrapy, Playwright. Die Zeilen gibt es in den Formaten der üblichen Werkzeuge.',
        link: null,
      },
      {
        question: 'Wie viele Verbindungen darf ich öffnen?',
        answer: (rules: { connectionsPerPlan: number }) =>
          `${rules.connectionsPerPlan.toLocaleString('de')} zugleich mit einem Paket, geteilt von allen seinen Proxy-Nutzern.`,
        link: null,
      },
      {
        question: 'Wie schnell ist es da?',
        answer:
          'Ein Paket läuft Sekunden nach der Zahlung. Auch Adressen und virtuelle Server werden von selbst geliefert; die Seite der Bestellung zeigt jeden Schritt.',
        link: { href: '/status', label: 'Wie es dem Dienst geht' },
      },
      {
        question: 'Kann ich einen Teil jemand anderem geben?',
        answer:
          'Ja: Proxy-Nutzer haben einen eigenen Namen und ein eigenes Passwort, Limits für den Tag, den Monat und insgesamt, erlaubte Orte und Ziele und eine Seite ihres Verbrauchs, für die man sich nicht anmelden muss.',
        link: null,
      },
      {
        question: 'Kann ein Programm oder ein Assistent das alles?',
        answer:
          'Ja: Es gibt eine JSON-API, eine GraphQL-API mit Live-Abonnements, ein Werkzeug für die Kommandozeile, Webhooks und einen MCP-Server für KI-Assistenten. Sie zeigen dasselbe Konto.',
        link: { href: '/docs', label: 'Dokumentation' },
      },
      {
        question: 'Was ist nicht erlaubt?',
        answer:
          'Spam, Angriffe und Scans: Ports für Mail und Adressen privater Netze sind zu. Wer eine Adresse zu einer Zeit benutzt hat, lässt sich denen sagen, die es fragen dürfen.',
        link: { href: '/docs/proxies', label: 'Abgelehnte Ziele' },
      },
    ],
  },
  reference: 'API-Beschreibung',
};
