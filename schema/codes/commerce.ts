import { TEXT_MAX } from '../limits.ts';
import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const COMMERCE_ERRORS = {
  hold_too_large: { status: 409, message: 'So much of this cannot be held for an order that is not paid.' },
  not_sold: { status: 409, message: 'This is not sold at the moment.' },
  offer_expired: { status: 409, message: 'This offer has expired: ask for a new one.' },
  offer_invalid: { status: 400, message: 'This offer is not valid.' },
  offer_ordered: { status: 409, message: 'This offer has been ordered already.' },
  out_of_stock: { status: 409, message: 'There is not enough of this in stock at the moment.' },
} as const satisfies ErrorTerms;

export const COMMERCE_REASONS = {
  account_price_asked_by_you: 'Who has set this price does not agree to it: ask another member of staff.',
  account_price_decided: 'This price is answered already.',
  account_price_item_unknown: 'The catalogue has no such item with a price.',
  account_price_over: 'This price is over already.',
  account_price_percent_unfit: 'What is taken off is from 0.01% to 99.99%.',
  account_price_unknown: 'There is no such price of an account.',
  catalogue_amount_unfit: 'An amount is written as 2.40.',
  catalogue_amounts_unfit: 'Prices are written as "1: 5.00, 10: 4.50"; the first begins at 1.',
  catalogue_change_begun: 'This change has begun, or is withdrawn already.',
  catalogue_change_unknown: 'There is no such change.',
  catalogue_count_unfit: 'This is a whole number above zero.',
  catalogue_days_unfit: 'These are 1 to 3,650 whole days, or: for ever.',
  catalogue_field_unknown: 'The catalogue has no such field.',
  catalogue_flag_unfit: 'This is true or false.',
  catalogue_from_past: 'A change begins now or later.',
  catalogue_steps_fixed: 'These prices have the steps {steps}, and no others.',
  catalogue_text_unfit: `This has 1 to ${TEXT_MAX.catalogueText} characters.`,
  catalogue_until_early: 'A change ends after it begins.',
  custom_offer_days: 'A custom offer stands for 1 to {max} days.',
  hold_limited: 'Only {max} of these can be held until the payment: order {max}, and more when that is paid.',
  hold_used_up: 'None of these can be held for another unpaid order at the moment: pay what waits, or try again in a few minutes.',
  line_password_wrong: 'The password is wrong.',
  line_test_certificate: 'The certificate of the proxy at {host}:{port} is not trusted: write to support.',
  line_test_lost:
    'The connection broke off before there was a whole answer: try again. With a session use another session number if it lasts.',
  line_test_not_listed:
    'The line lets in only addresses that are listed for it, and the test comes from the platform: try it from one of those.',
  line_test_page: 'The page that was asked answered with status {status}, through a line that carries: that is for support to look into.',
  line_test_page_closed: 'The proxy does not lead to the page that tests ask ({code}): that is for support to look into.',
  line_test_refused: 'The proxy refused with status {status} and no reason: look at the status page.',
  line_test_silent: 'There was no answer within {seconds} seconds: try again, or from another place. If it lasts, look at the status page.',
  line_test_socks_refused: 'The proxy refused with the reply {reply} of SOCKS5, which has no reason: look at the limits of the plan.',
  line_test_unreachable: 'No connection to the proxy at {host}:{port} opens: try again in a minute. If it lasts, look at the status page.',
  line_test_words: 'The page that was asked told no address: that is for support to look into.',
  line_unreadable: 'This is not a proxy line: write host:port:username:password, or http://username:password@host:port.',
  protocol_not_offered: '{protocol} is not offered here.',
  repricing_applies: 'This change of price applies already, or was withdrawn.',
  repricing_notice: 'Subscriptions are told of another price {days} days before it applies.',
  repricing_unknown: 'There is no such change of price.',
  sold_out: 'Out of stock at the moment.',
} as const satisfies ReasonTerms;
