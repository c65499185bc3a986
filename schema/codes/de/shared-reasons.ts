// What the platform, all sellers and the gateway give as reasons, in German.
import { TEXT_MAX } from '../../limits.ts';
import type { REASONS_BY, Sentences } from '../catalogue.ts';

type Shared = (typeof REASONS_BY)['platform' | 'commerce' | 'gateway'];
type CodesOf<Room> = Room extends unknown ? keyof Room : never;

export const SHARED_REASONS: Pick<Sentences, CodesOf<Shared>> = {
  // platform
  body_not_json: 'Der Inhalt ist kein JSON.',
  body_not_object: 'Der Inhalt ist kein JSON-Objekt.',
  day_unknown: 'Den Tag {day} gibt es nicht.',
  number_out_of_range: '{name} muss eine ganze Zahl von 1 bis {max, number} sein.',
  period_reversed: 'Der letzte Tag liegt nicht vor dem ersten.',
  permission_of_roles: 'Das verlangt die Berechtigung {permission}; diese Rollen haben sie: {roles}.',
  since_too_long: 'since nimmt höchstens {max} Stellen an.',
  team_role_without_it: 'Ihre Rolle in diesem Team umfasst das nicht.',
  // commerce
  account_price_asked_by_you: 'Wer diesen Preis festgelegt hat, stimmt ihm nicht zu: Bitten Sie eine andere Person.',
  account_price_decided: 'Über diesen Preis ist schon entschieden.',
  account_price_item_unknown: 'Der Katalog hat keinen solchen Posten mit einem Preis.',
  account_price_over: 'Dieser Preis ist schon zu Ende.',
  account_price_percent_unfit: 'Der Nachlass beträgt 0.01% bis 99.99%.',
  account_price_unknown: 'Einen solchen Preis eines Kontos gibt es nicht.',
  catalogue_amount_unfit: 'Ein Betrag wird als 2.40 geschrieben.',
  catalogue_amounts_unfit: 'Preise werden als „1: 5.00, 10: 4.50“ geschrieben; der erste beginnt bei 1.',
  catalogue_change_begun: 'Diese Änderung hat begonnen oder ist schon zurückgenommen.',
  catalogue_change_unknown: 'Es gibt keine solche Änderung.',
  catalogue_count_unfit: 'Dies ist eine ganze Zahl über null.',
  catalogue_days_unfit: 'Das sind 1 bis 3.650 ganze Tage, oder: for ever.',
  catalogue_field_unknown: 'Der Katalog hat kein solches Feld.',
  catalogue_flag_unfit: 'Dies ist true oder false.',
  catalogue_from_past: 'Eine Änderung beginnt jetzt oder später.',
  catalogue_steps_fixed: 'Diese Preise haben die Stufen {steps} und keine anderen.',
  catalogue_text_unfit: `Dies hat 1 bis ${TEXT_MAX.catalogueText} Zeichen.`,
  catalogue_until_early: 'Eine Änderung endet nach ihrem Beginn.',
  custom_offer_days: 'Ein eigenes Angebot gilt 1 bis {max} Tage.',
  hold_limited: 'Bis zur Zahlung lassen sich nur {max} davon zurücklegen: Bestellen Sie {max}, und mehr, wenn das bezahlt ist.',
  hold_used_up:
    'Für eine weitere unbezahlte Bestellung lässt sich gerade nichts davon zurücklegen: Bezahlen Sie, was wartet, oder versuchen Sie es in einigen Minuten erneut.',
  line_password_wrong: 'Das Passwort ist falsch.',
  line_test_certificate: 'Dem Zertifikat des Proxys unter {host}:{port} ist nicht zu trauen: Schreiben Sie dem Support.',
  line_test_lost:
    'Die Verbindung brach ab, bevor eine ganze Antwort da war: Versuchen Sie es erneut. Bleibt es so, nehmen Sie bei einer Sitzung eine andere Sitzungsnummer.',
  line_test_not_listed:
    'Die Zeile lässt nur Adressen ein, die für sie eingetragen sind, und der Test kommt von der Plattform: Versuchen Sie es von einer von diesen.',
  line_test_page: 'Die abgefragte Seite antwortete mit Status {status}, über eine Zeile, die trägt: Das muss der Support ansehen.',
  line_test_page_closed: 'Der Proxy führt nicht zu der Seite, die Tests abfragen ({code}): Das muss der Support ansehen.',
  line_test_refused: 'Der Proxy lehnte mit Status {status} und ohne Grund ab: Sehen Sie auf der Statusseite nach.',
  line_test_silent:
    'Binnen {seconds} Sekunden kam keine Antwort: Versuchen Sie es erneut oder von einem anderen Ort. Bleibt es so, sehen Sie auf der Statusseite nach.',
  line_test_socks_refused:
    'Der Proxy lehnte mit der Antwort {reply} von SOCKS5 ab, die keinen Grund nennt: Sehen Sie nach den Grenzen des Pakets.',
  line_test_unreachable:
    'Zum Proxy unter {host}:{port} kommt keine Verbindung zustande: Versuchen Sie es in einer Minute erneut. Bleibt es so, sehen Sie auf der Statusseite nach.',
  line_test_words: 'Die abgefragte Seite nannte keine Adresse: Das muss der Support ansehen.',
  line_unreadable: 'Das ist keine Proxy-Zeile: Schreiben Sie host:port:username:password oder http://username:password@host:port.',
  protocol_not_offered: '{protocol} wird hier nicht angeboten.',
  repricing_applies: 'Diese Preisänderung gilt schon oder ist zurückgenommen.',
  repricing_notice: 'Abonnements wird ein anderer Preis {days} Tage vorher angekündigt.',
  repricing_unknown: 'Eine solche Preisänderung gibt es nicht.',
  sold_out: 'Zurzeit nicht auf Lager.',
  // gateway
  body_not_graphql: 'Der Inhalt ist nicht eine einzelne GraphQL-Anfrage.',
  cost_budget_used: 'Innerhalb einer Minute wurde zu viel verlangt: Warten Sie, solange Retry-After sagt, oder verlangen Sie weniger.',
  dashboard_not_built: 'Die Oberfläche ist nicht gebaut: Rufen Sie npm run build auf.',
  document_invalid: 'Dokument {number} ist nicht gültig ({problem}).',
  documents_count: 'documents nimmt 1 bis {max} Texte.',
  documents_too_many: 'Ein Konto registriert höchstens {max} Dokumente: Entfernen Sie einige.',
  graphql_batch: 'Stapel werden nicht beantwortet: Senden Sie jede Operation einzeln, oder mehrere Felder in einer Operation.',
  hash_not_of_document: 'Der Hash ist nicht der des Dokuments.',
  key_lacks_scope: 'Diesem API-Schlüssel fehlt der Geltungsbereich {scope}: Der Support gibt Schlüssel aus, die ihn haben.',
  key_not_session: 'Das geht nur mit einer Anmeldung, nicht mit einem API-Schlüssel.',
  key_reads_only: 'Dieser API-Schlüssel darf nur lesen.',
  path_unfit: 'Der Pfad ist nicht gültig.',
};
