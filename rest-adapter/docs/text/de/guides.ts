import { EXTRA_IPV4_MAX } from '../../../../schema/limits.ts';
import type { guides as english } from '../en/guides.ts';

export const guides: typeof english = {
  residential: {
    title: 'Residential-Proxys',
    lead: 'Verkehr über Anschlüsse und Telefone in aller Welt, nach Gigabyte bezahlt.',
    sections: [
      {
        title: 'Kaufen',
        text: [
          'Ein Paket wird einmal gekauft und läuft nicht von selbst ab, sofern das Produkt nichts anderes sagt: Es hält, bis seine Bytes verbraucht sind. Es ist Sekunden nach der Zahlung bereit.',
          '„Daten hinzufügen“ legt mehr in dasselbe Paket, sodass Zeilen, Sitzungen und Proxy-Nutzer bleiben. Automatisches Aufladen tut das ab einer Marke Ihrer Wahl, innerhalb einer Summe je Monat, und hört bei der ersten Ablehnung auf.',
        ],
      },
      {
        title: 'Zeilen erzeugen',
        text: [
          'Wählen Sie Ort, HTTP oder SOCKS5, wechselnd oder fest und das Format, das Ihr Programm liest; oder fragen Sie die API danach. Erzeugen kostet kein Datenvolumen, und eine Liste lässt sich erneut abrufen.',
          'Wechselnde Zeilen nehmen für jede Verbindung eine neue Adresse: bei einfachem HTTP für jede Anfrage, bei HTTPS und SOCKS5 für jeden Tunnel. Sie sind alle gleich, eine genügt also. Feste Zeilen behalten ihre so viele Minuten, wie Sie wählen. Fällt die Adresse vorher aus, scheitern Anfragen und sagen es; mit onlost-switch im Benutzernamen übernimmt eine andere.',
          'Eine Zeile lässt sich auch von Hand schreiben: [jeder Teil eines Benutzernamens](/docs/proxies). „Zeile prüfen“ in der Oberfläche, `egress test` und die API senden eine echte Anfrage durch eine Zeile und sagen, wo sie herauskommt.',
        ],
      },
      {
        title: 'Zusehen',
        text: [
          'Jedes Byte wird gezählt, während es fließt, und live gezeigt: nach Host, Land, Sitzung, Client und Proxy-Nutzer, nach Stunde und Tag, als Tabelle und als CSV. Eigene Marken bringen eine Mail; ein Tageslimit pausiert das Paket bis 00:00 UTC.',
          'Das Anfrageprotokoll, aus, bis Sie es wollen, behält sieben Tage lang eine Zeile je Anfrage: Host, Status, Bytes, Ort, Dauer und was gegen einen Fehler hilft.',
        ],
      },
      {
        title: 'Teilen',
        text: [
          'Proxy-Nutzer haben eigenen Namen und eigenes Passwort, Grenzen je Tag, je Monat und insgesamt, erlaubte Orte und Ziele und eine Seite ihres Verbrauchs ohne Anmeldung. Ihre Bytes ergeben zusammen die des Pakets.',
          'Netze lassen die Maschinen einer Adresse ohne Passwort ein.',
        ],
      },
    ],
  },
  static: {
    title: 'ISP- und Datacenter-Proxys',
    lead: 'Eigene Adressen, monatlich und ohne Zählung.',
    sections: [
      {
        title: 'Kaufen',
        text: [
          'Wählen Sie das Produkt, den Ort, an dem es Vorrat hat, und die Zahl. Die Adressen sind von selbst im Konto, sobald die Zahlung bestätigt ist; zu erzeugen gibt es nichts. ISP-Adressen kommen aus Netzen benannter Anbieter.',
          'Fehlen nach einer Zahlung Adressen, nennt die Seite, bis wann sie kommen, und zu dieser Zeit geht die Zahlung von selbst zurück.',
        ],
      },
      {
        title: 'Nutzen',
        text: [
          'Kopieren Sie die Zeilen, oder laden Sie sie als .txt-Datei, im Format, das Ihr Programm liest. Jede Zeile ist eine Adresse, die sonst niemand hat, über HTTP und SOCKS5. Dieselbe Liste per API: [list static plans](/docs/api/list_static_plans).',
          'Ein Werkzeug, das weder Benutzernamen noch Passwort sendet, meldet sich über die Adresse an, von der es kommt: Lassen Sie die unter Zugang zu, für alle Adressen des Pakets oder für eine, oder per API: [add a network](/docs/api/add_static_network).',
          '„Testen“ neben einer Adresse, `egress static-test` und die [API](/docs/api/test_static_line) senden eine echte Anfrage durch ihre Zeile und sagen, welche Adresse gesehen wurde, wie schnell, und was fehlte. Der Zustand jeder Adresse wird beobachtet. Eine, die ausfällt, lässt sich tauschen oder wird, wo Sie das wollen, von selbst getauscht; eine Beschriftung bleibt an ihrem Platz in der Liste.',
        ],
      },
      {
        title: 'Ändern und beenden',
        text: [
          'Adressen kommen jederzeit hinzu: Berechnet wird der Rest des Zeitraums. Zurückgeben geht jederzeit: Was vom Zeitraum nicht genutzt ist, wird Guthaben. Ein Plan verlängert sich, bis Sie kündigen, und arbeitet dann bis zum Ende des Bezahlten.',
          'Lässt sich eine Verlängerung nicht bezahlen, wird es einige Tage lang erneut versucht, jeweils mit einer Mail; dann wird der Plan gesperrt, seine Adressen bleiben eine Weile, und mit der Zahlung arbeiten dieselben wieder.',
        ],
      },
    ],
  },
  vps: {
    title: 'Virtuelle Server',
    lead: 'Eine Maschine mit öffentlicher Adresse in ein, zwei Minuten.',
    sections: [
      {
        title: 'Bestellen',
        text: [
          `Wählen Sie Tarif, System, SSH-Schlüssel, User Data für cloud-init, bis zu ${EXTRA_IPV4_MAX} weitere IPv4 und wöchentliche Backups. Linux-Images haben einen Benutzer, der nach ihrer Familie heißt, Windows hat Administrator; das Passwort steht in der Oberfläche.`,
          'Bleibt ein Bau hängen, wird er von selbst wiederholt. Eine Bestellung, die sich nicht bauen lässt, wird zurückgezahlt.',
        ],
      },
      {
        title: 'Betreiben',
        text: [
          'Start, Neustart, Stopp, erzwungener Stopp, eine Konsole im Browser, Rettungssystem, neues Passwort, Neuinstallation und Messwerte von Prozessor, Speicher, Platte und Netz, wie sie sind. Ein gestoppter Server bleibt reserviert und wird berechnet.',
          'Mit Schlüssel: Jede Aktion ist ein POST an [`/v1/servers/{server_id}/actions/...`](/docs/api) mit einem `Idempotency-Key`; die Antwort ist 202 und ein Vorgang, nach dem man fragt, bis er beendet ist. `egress servers reboot SERVER --wait` tut beides.',
        ],
      },
      {
        title: 'Bewahren',
        text: [
          'Ein Backup ist alle sieben Tage eine Kopie der ganzen Platte auf getrenntem Speicher. Das neueste bleibt immer. Eine Wiederherstellung macht den ganzen Server zu dem, was er damals war: Alles seither ist verloren, und eine Kopie des jetzigen Standes bleibt eine Weile. Backups enden mit dem Server und lassen sich nicht herunterladen.',
          'Ein Upgrade geht zu einem größeren Tarif: Der Unterschied für den Rest des Zeitraums wird sofort berechnet, der Server startet neu, und Platte, Daten und Verlängerungstag bleiben.',
        ],
      },
      {
        title: 'Beenden',
        text: [
          'Nach einer Kündigung, in der Oberfläche oder mit Schlüssel ([cancel a server](/docs/api/cancel_server)), bleibt der Server bis zum Ende des Bezahlten; dann wird er mit Daten und Backups gelöscht. Bis dahin lässt sie sich zurücknehmen.',
        ],
      },
    ],
  },
  dedicated: {
    title: 'Dedizierte Server',
    lead: 'Eine ganze Maschine, ohne Nachbarn.',
    sections: [
      {
        title: 'Bestellen',
        text: [
          'Mit der Bestellung wird eine Maschine für Sie festgehalten. Die Lieferung dauert meist wenige Stunden, höchstens einen Werktag; die Seite der Bestellung zeigt jeden Schritt, und dort erscheinen die Zugangsdaten.',
        ],
      },
      {
        title: 'Betreiben',
        text: [
          'Start, Neustart, Stopp, erzwungener Stopp, Web-Konsole, Messwerte und ein neues Passwort, für das die Maschine neu startet. Eine Neuinstallation löscht alle Platten und installiert das gewählte System, meist in 10 bis 20 Minuten; ein Zurück gibt es nicht.',
          'Mit Schlüssel wie bei virtuellen Servern: [die Operationen](/docs/api).',
        ],
      },
      {
        title: 'Beenden',
        text: [
          'Nach einer Kündigung bleibt die Maschine bis zum Ende des Bezahlten; dann wird sie außer Betrieb genommen, und alle Daten werden gelöscht.',
        ],
      },
    ],
  },
};
