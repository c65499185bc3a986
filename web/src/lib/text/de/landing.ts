import type { Dictionary } from '../dictionary.ts';

export const landing: Dictionary['landing'] = {
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
    { title: 'Nichts versteckt', lead: 'Der Preis im Angebot ist der, der belastet wird, Steuer inbegriffen, für 15 Minuten.' },
  ],
  reference: 'API-Beschreibung',
};
