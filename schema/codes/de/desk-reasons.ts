import type { Sentences } from '../catalogue.ts';

/** Of coupons and legal texts. */
export const DESK_REASONS = {
  coupon_code_missing: 'Ein Gutschein hat mindestens einen Code.',
  coupon_code_taken: 'Einen dieser Codes gibt es schon.',
  coupon_code_unfit: '{code} ist kein Code: 3 bis 40 Buchstaben, Ziffern und Striche.',
  coupon_codes_too_many: 'Ein Gutschein hat höchstens {max, number} Codes.',
  coupon_end_early: 'Ein Gutschein endet nach seinem Beginn und nicht in der Vergangenheit.',
  coupon_first_order: 'Dieser Code ist für eine erste Bestellung.',
  coupon_item_unfit: '{item} steht nicht im Katalog: residential, static, vps oder dedicated, oder etwas daraus wie vps.PLANK.',
  coupon_minimum: 'Dieser Code ist für Bestellungen ab {min} vor Steuer.',
  coupon_not_here: 'Codes gelten für Käufe zu unseren Listenpreisen, nicht für Änderungen und mit dem Vertrieb Vereinbartes.',
  coupon_not_yet: 'Dieser Code gilt ab dem {from}.',
  coupon_other_products: 'Dieser Code ist für andere Produkte.',
  order_in_review: 'Diese Bestellung wird für eine Prüfung zurückgehalten: Geben Sie sie frei, oder lehnen Sie sie ab.',
  order_not_held: 'Diese Bestellung wartet auf keine Entscheidung.',
  risk_word_unfit: ({ word }) => `${word} ist weder ein Land noch eine Domain noch ein Posten, den diese Regel nimmt.`,
  risk_words_count: ({ max }) => `Diese Regel nimmt 1 bis ${max} Wörter.`,
  coupon_over: 'Dieser Gutschein ist vorbei.',
  coupon_unknown: 'Diesen Code gibt es nicht oder nicht mehr.',
  coupon_used_before: 'Ihr Konto hat diesen Code so oft benutzt, wie es geht.',
  coupon_used_up: 'Dieser Code ist aufgebraucht.',
  coupon_value_one: 'Nennen Sie einen Prozentsatz oder einen Betrag, eines von beiden.',
  legal_from_earlier: 'Diese Fassung begänne vor der vorherigen.',
  legal_from_past: 'Eine Fassung beginnt jetzt oder später.',
  legal_version_unknown: 'Diese Fassung gibt es nicht.',
} satisfies Partial<Sentences>;
