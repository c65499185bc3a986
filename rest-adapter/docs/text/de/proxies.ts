import { LINE_COUNTRIES_MAX } from '../../../../schema/limits.ts';
import type { proxyTexts as english } from '../en/proxies.ts';

/** What holds with any limits. */
const lasting = {
  title: 'Wie Proxys zählen und sich verhalten',
  lead: 'Was ein Byte ist, was eine Verbindung beendet, was abgelehnt wird und was ein Benutzername alles sagen kann.',

  username: {
    title: 'Der Benutzername',
    lead: 'Hinter dem Benutzernamen des Pakets oder eines Proxy-Nutzers stehen Teile aus Name und Wert, in beliebiger Reihenfolge, jeder einmal. Was fehlt, ist Ihnen gleich. Ein unbekannter oder doppelter Teil wird mit 400 und dem Grund abgelehnt: Ihn zu übergehen könnte Verkehr von anderswo senden.',
    head: ['Teil', 'Was er sagt', 'Beispiel'],
    parts: {
      country: `Wo die Adresse liegt: ein Ländercode, bis zu ${LINE_COUNTRIES_MAX} mit Unterstrichen dazwischen, eu für Europa oder any. Ohne ihn: irgendwo.`,
      not: 'Länder, in denen die Adresse nicht liegen soll.',
      state: 'Ein Bundesstaat, mit Unterstrichen statt Leerzeichen; braucht ein einzelnes Land.',
      city: 'Eine Stadt, ebenso.',
      asn: 'Die Nummer des Netzes, in dem die Adresse liegt.',
      session: 'Eine eigene Zahl oder ein eigenes Wort: Dieselbe Sitzung behält ihre Adresse. Ohne sie bekommt jede Verbindung eine neue.',
      sessionttl: 'Für wie viele Minuten; welche möglich sind, sagt das Produkt. Ohne sie: 60.',
      turn: 'Hochgezählt gibt er der Sitzung eine andere Adresse.',
      onlost: 'switch: Fällt die Adresse der Sitzung aus, übernimmt eine andere. fail, wie ohne ihn: Anfragen scheitern und sagen es.',
    },
  },

  counting: {
    title: 'Was als Byte zählt',
    lead: 'Upload und Download zählen beide, und 1 GB sind 1.000.000.000 Bytes. Es gibt kein Minimum und keine Rundung.',
    head: ['Was', 'Zählt'],
    rows: [
      ['Alles in einem Tunnel (CONNECT, SOCKS5): auch TLS-Records und die Header darin', 'ja'],
      ['Eine Anfrage über einfaches HTTP und ihre Antwort: mit ihren Headern, wie das Ziel und Sie sie bekommen', 'ja'],
      ['Nutzdaten von Datagrammen über SOCKS5', 'ja'],
      ['Die CONNECT-Anfrage, der SOCKS5-Handshake, Ihre Anmeldung', 'nein'],
      ['Abgelehnte Anfragen und Namen, die es nicht gibt', 'nein'],
      ['Header von TCP und IP und Pakete, die erneut gesendet werden', 'nein'],
      ['Zeilen erzeugen, eine Zeile prüfen', 'nein'],
      ['Die Anfrage eines Tests einer Zeile, wie jede andere: einige hundert Bytes', 'ja'],
      ['Ein Download, den Sie abbrechen', 'was bei Ihnen ankam, und höchstens 64 KiB unterwegs'],
    ],
  },

  quality: {
    title: 'Wie gut ein Ort bedient wird',
    text: [
      'Wo Zeilen erzeugt werden und in der Liste der Orte stehen zwei Zahlen eines Produkts an einem Ort, aus der letzten Stunde und von allen Kunden zusammen. Orte mit weniger als zwanzig Verbindungen haben keine.',
      'Erfolg ist der Anteil der Verbindungen zu Zielen, die gelangen, von denen, die gelangen oder durch einen Ausgang oder mangels eines Ausgangs scheiterten. Ein Ziel, das ablehnt, keine Adresse hat oder nicht antwortet, zählt nirgends, ebenso was abgelehnt wird, bevor ein Ausgang gewählt ist. Eine wechselnde Zeile, die an einem Ausgang scheiterte und über den nächsten gelang, zählt einmal, als gelungen.',
      'Erstes Byte ist der Median der Zeit, bis eine Verbindung offen war, und von da an zwischen dem ersten Byte an das Ziel und dem ersten Byte vom Ziel. Der Weg zwischen Ihnen und dem Proxy ist nicht darin; beim TLS-Handshake eines Ziels ist es dessen erstes Byte.',
      'Eine Zeile zählt für das Land, in dem ihr Ausgang ist, und für den Bundesstaat und die Stadt, die sie verlangt.',
    ],
  },

  refusals: {
    title: 'Was eine Ablehnung bedeutet',
    lead: 'Jede Ablehnung trägt ihren Code in den Headern Proxy-Status und X-Proxy-Error und einen Satz im Inhalt.',
    head: ['Code', 'Was zu tun ist'],
  },
};

export const proxyTexts: typeof english = (rules) => ({
  ...lasting,

  limits: {
    title: 'Grenzen einer Verbindung',
    head: ['Was', 'Grenze'],
    rows: [
      ['Offene Verbindungen eines Pakets an einem Knoten; mehr werden mit 429 abgelehnt', rules.connectionsPerPlan.toLocaleString('de')],
      ['Zeit ohne ein Byte in eine der Richtungen; dann endet die Verbindung', `${rules.idleSeconds.toLocaleString('de')} s`],
      ['Zeit für den Kopf einer Anfrage oder den SOCKS5-Handshake', `${rules.headSeconds.toLocaleString('de')} s`],
      ['Größe des Kopfs einer Anfrage', `${rules.headBytes.toLocaleString('de')} Bytes`],
      ['Zeit, das Ziel zu erreichen; dann 504', `${rules.connectSeconds.toLocaleString('de')} s`],
      ['Zeit zwischen zwei Anfragen auf einer Verbindung', `${rules.keepAliveSeconds.toLocaleString('de')} s`],
    ],
  },

  ends: {
    title: 'Wenn ein Paket endet',
    text: [
      'Aufgebraucht, am Tageslimit, nach einer Zurücksetzung oder Änderung eines Proxy-Nutzers endet jede betroffene Verbindung binnen einer Sekunde, an jedem Knoten.',
      `Sie verbrauchen nie mehr, als Sie gekauft haben. Nur ein Knoten, der uns länger als eine Minute nicht erreicht, könnte darüber hinaus zählen, höchstens ${rules.overUseBytes.toLocaleString('de')} Bytes eines Pakets, und das tragen wir.`,
    ],
  },

  targets: {
    title: 'Ziele, die abgelehnt werden',
    text: [
      'Private Netze und solche für besondere Zwecke, unsere eigenen Maschinen und Namen, die dorthin führen, auch nur zum Teil: 403.',
      rules.forbiddenPorts === null
        ? 'Ports für Mail, Dateifreigaben und Fernsteuerung und was für ein Produkt sonst geschlossen ist: 403 nennt es.'
        : `Ports: ${rules.forbiddenPorts.join(', ')}.`,
      'Namen und Adressen auf Listen schädlicher Ziele: ebenfalls 403.',
    ],
  },
});
