// How a client mends what a proxy node has refused, or what went wrong behind it; for the request log and the pages about errors. The sentence of a code says what
// it is, this says what to do.
import type { Language } from '../languages.ts';
import type { EDGE_ERRORS } from './edge.ts';

export const PROXY_MENDING = {
  account_suspended: {
    en: 'Support has suspended the account: write to support.',
    de: 'Der Support hat das Konto gesperrt: Schreiben Sie dem Support.',
  },
  bandwidth_used_up: {
    en: 'Top up the package, or buy a new one and use its lines.',
    de: 'Laden Sie das Paket auf, oder kaufen Sie ein neues und nutzen Sie dessen Zeilen.',
  },
  client_not_allowed: {
    en: 'Come from an address that the line is for, or add yours to its list.',
    de: 'Kommen Sie von einer Adresse, für die die Zeile ist, oder nehmen Sie Ihre in die Liste auf.',
  },
  connections_exhausted: {
    en: 'Close connections that are not needed, and open fewer at once.',
    de: 'Schließen Sie Verbindungen, die niemand braucht, und öffnen Sie weniger zugleich.',
  },
  daily_limit_reached: {
    en: 'Wait for 00:00 UTC, or raise or remove the Daily Usage Limit in the settings.',
    de: 'Warten Sie bis 00:00 UTC, oder heben Sie das Tageslimit in den Einstellungen an oder auf.',
  },
  exit_failed: {
    en: 'Try again: a rotating line leaves from another address. With a session use another session number.',
    de: 'Versuchen Sie es erneut: Eine wechselnde Zeile geht über eine andere Adresse. Nehmen Sie bei einer Sitzung eine andere Sitzungsnummer.',
  },
  exit_gone: {
    en: 'Use another session number or the next -turn-, or -onlost-switch to be moved to another address by itself.',
    de: 'Nehmen Sie eine andere Sitzungsnummer oder den nächsten -turn-, oder -onlost-switch, um von selbst auf eine andere Adresse zu wechseln.',
  },
  exit_unavailable: {
    en: 'Try again in a few seconds, or ask for a wider place: the country instead of the city.',
    de: 'Versuchen Sie es in einigen Sekunden erneut, oder wählen Sie einen weiteren Ort: das Land statt der Stadt.',
  },
  head_too_large: {
    en: 'Send fewer or shorter headers, of 16 KiB together at most.',
    de: 'Senden Sie weniger oder kürzere Kopfzeilen, zusammen höchstens 16 KiB.',
  },
  metering_unavailable: {
    en: 'Try again in a second. If it lasts, look at the status page.',
    de: 'Versuchen Sie es in einer Sekunde erneut. Hält es an, sehen Sie auf der Statusseite nach.',
  },
  proxy_credentials_required: {
    en: 'Send the username and password of the line, or list the address that you come from.',
    de: 'Senden Sie Benutzernamen und Passwort der Zeile, oder tragen Sie die Adresse ein, von der Sie kommen.',
  },
  proxy_credentials_wrong: {
    en: 'Copy the line again from the dashboard. If nobody of yours did this, somebody guesses: reset the password.',
    de: 'Kopieren Sie die Zeile neu aus dem Dashboard. War es niemand von Ihnen, so rät jemand: Setzen Sie das Passwort zurück.',
  },
  proxy_loop: {
    en: 'Ask for the site itself as the target, not for the address of the proxy.',
    de: 'Nennen Sie als Ziel die Website selbst, nicht die Adresse des Proxys.',
  },
  proxy_password_replaced: {
    en: 'Generate or copy the lines again: they carry a password from before a reset.',
    de: 'Erzeugen oder kopieren Sie die Zeilen neu: Sie tragen ein Passwort von vor einem Zurücksetzen.',
  },
  proxy_place_not_allowed: {
    en: 'Use a line of a place that the proxy user may leave from, or add the place to the user.',
    de: 'Nehmen Sie eine Zeile eines Orts, der dem Proxy-Nutzer erlaubt ist, oder erlauben Sie ihm den Ort.',
  },
  proxy_request_invalid: {
    en: 'Set the client to use an HTTP or SOCKS5 proxy; for https it sends CONNECT host:port.',
    de: 'Stellen Sie im Programm einen HTTP- oder SOCKS5-Proxy ein; für https sendet es CONNECT host:port.',
  },
  proxy_rules_changed: { en: 'Open the connection again.', de: 'Öffnen Sie die Verbindung erneut.' },
  proxy_target_not_allowed: {
    en: 'Add the host to the targets of the proxy user.',
    de: 'Nehmen Sie den Host in die Ziele des Proxy-Nutzers auf.',
  },
  proxy_user_limit_reached: {
    en: 'Raise the limit of the proxy user, or wait for the next day or month in UTC.',
    de: 'Heben Sie das Limit des Proxy-Nutzers an, oder warten Sie auf den nächsten Tag oder Monat in UTC.',
  },
  proxy_user_paused: { en: 'Let the proxy user go on.', de: 'Lassen Sie den Proxy-Nutzer weitermachen.' },
  proxy_user_used_up: {
    en: 'Raise the total limit of the proxy user, or renew it.',
    de: 'Heben Sie das Gesamtlimit des Proxy-Nutzers an, oder erneuern Sie es.',
  },
  proxy_username_invalid: {
    en: 'Copy the line again, or check it under Check a line: it says which part is wrong.',
    de: 'Kopieren Sie die Zeile neu, oder prüfen Sie sie unter „Zeile prüfen“: Dort steht, welcher Teil falsch ist.',
  },
  static_plan_suspended: {
    en: 'Pay the open invoice under Billing: the addresses are the same ones afterwards.',
    de: 'Bezahlen Sie die offene Rechnung unter Abrechnung: Die Adressen bleiben dieselben.',
  },
  target_address_forbidden: {
    en: 'Proxies reach public addresses only: ask for the public name of the target.',
    de: 'Proxys erreichen nur öffentliche Adressen: Nehmen Sie den öffentlichen Namen des Ziels.',
  },
  target_blocked: {
    en: 'This network does not lead to that site: try another place or product.',
    de: 'Dieses Netz führt nicht zu dieser Website: Versuchen Sie einen anderen Ort oder ein anderes Produkt.',
  },
  target_family_unreachable: {
    en: 'Use a place or product whose addresses are of the family of the target, or another host name.',
    de: 'Nehmen Sie einen Ort oder ein Produkt mit Adressen der Familie des Ziels, oder einen anderen Hostnamen.',
  },
  target_listed: {
    en: 'Choose another target, or ask support why this one is blocked.',
    de: 'Wählen Sie ein anderes Ziel, oder fragen Sie den Support, warum dieses gesperrt ist.',
  },
  target_name_unknown: {
    en: 'Look for a typing mistake in the host name.',
    de: 'Suchen Sie einen Tippfehler im Hostnamen.',
  },
  target_port_forbidden: {
    en: 'Ports of mail and of remote control are closed: use 80, 443 or another open one.',
    de: 'Ports für Mail und Fernsteuerung sind geschlossen: Nehmen Sie 80, 443 oder einen anderen offenen.',
  },
  target_refused: {
    en: 'Nothing listens there: look at host and port, or try again later.',
    de: 'Dort hört niemand zu: Sehen Sie nach Host und Port, oder versuchen Sie es später.',
  },
  target_response_invalid: {
    en: 'The target speaks no plain HTTP there: use https, or CONNECT.',
    de: 'Das Ziel spricht dort kein unverschlüsseltes HTTP: Nehmen Sie https oder CONNECT.',
  },
  target_timeout: {
    en: 'Try again, or from another place: the target is slow, or lets nobody in from there.',
    de: 'Versuchen Sie es erneut oder von einem anderen Ort: Das Ziel ist langsam, oder lässt von dort niemanden ein.',
  },
} as const satisfies Readonly<
  Record<keyof typeof EDGE_ERRORS | 'account_suspended' | 'static_plan_suspended', Readonly<Record<Language, string>>>
> &
  Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** In every language; undefined: of this code nothing more is known than its sentence. */
export const mendingOf = (code: string): Readonly<Record<Language, string>> | undefined =>
  Object.hasOwn(PROXY_MENDING, code) ? PROXY_MENDING[code as keyof typeof PROXY_MENDING] : undefined;
