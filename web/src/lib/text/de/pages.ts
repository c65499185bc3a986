import type * as en from '../en/pages.ts';

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
