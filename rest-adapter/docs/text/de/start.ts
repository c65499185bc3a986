import { MCP_TOOLS } from '../../../../schema/limits.ts';
import { RATE_LIMIT } from '../../../../gateway/http/rate-limit.ts';
import type { start as english } from '../en/start.ts';
import { GRAPHQL_SAMPLE, LINE_SAMPLE, REST_SAMPLE } from '../samples.ts';

export const start: typeof english = {
  title: 'Dokumentation',
  lead: 'Vom Konto zum Verkehr, und alles aus dem Code.',
  sections: [
    {
      title: 'Vom Konto zur ersten Zeile',
      text: [
        'Legen Sie ein Konto an und bestätigen Sie Ihre Adresse. Kaufen Sie ein [Residential-Paket](/docs/residential): Es ist Sekunden nach der Zahlung bereit, und Zeilen zu erzeugen kostet kein Datenvolumen.',
        '[ISP- und Datacenter-Proxys](/docs/static), [virtuelle](/docs/vps) und [dedizierte Server](/docs/dedicated) sind Abonnements: Sie werden von selbst geliefert und verlängern sich, bis Sie kündigen.',
      ],
      code: null,
    },
    {
      title: 'Eine Zeile und Verkehr darüber',
      text: [
        'Eine Zeile besteht aus Host, Port, Benutzername und Passwort, durch Doppelpunkte getrennt. Der Port entscheidet zwischen HTTP und SOCKS5. Was Sie von der Adresse wollen, steht im Benutzernamen: [jeder Teil davon](/docs/proxies).',
      ],
      code: LINE_SAMPLE,
    },
    {
      title: 'REST',
      text: [
        `Schlüssel stellt der Support auf Anfrage aus; ein Schlüssel wird einmal ganz gezeigt. Jeder darf ${RATE_LIMIT} Anfragen je Minute senden, und jede Antwort sagt, wie viele übrig sind. Fehler tragen einen Code und eine Anfragenummer: [Referenz](/docs/api), [Grenzen](/docs/limits), [Fehler](/docs/errors) (englisch).`,
      ],
      code: REST_SAMPLE,
    },
    {
      title: 'Assistenten',
      text: [
        `${MCP_TOOLS} Werkzeuge über Streamable HTTP, mit demselben Schlüssel oder durch Anmelden: [wie jeder Assistent verbunden wird](/docs/assistants).`,
      ],
      code: null,
    },
    {
      title: 'GraphQL',
      text: [
        'Der Graph, den auch die Oberfläche benutzt, mit Live-Abonnements: [wie man ihn fragt](/docs/graphql). Der Explorer öffnet sich unter [/graphql](/graphql).',
      ],
      code: GRAPHQL_SAMPLE,
    },
    {
      title: 'Erfahren statt fragen',
      text: [
        '[Webhooks](/docs/webhooks) sagen, was mit einem Konto geschieht, unterschrieben, mindestens einmal und der Reihe nach. [Ein typisierter Client und ein Kommando](/docs/clients) nehmen Ihnen den Rest ab.',
      ],
      code: null,
    },
  ],
};
