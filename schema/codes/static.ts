import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const STATIC_ERRORS = {
  product_type_unknown: { status: 400, message: 'The product type must be isp or dc.' },
  replacement_expired: { status: 409, message: 'What was prepared is not held any more: prepare it again.' },
  replacements_used_up: { status: 409, message: 'The exchanges of this month are used up.' },
  static_plan_suspended: { status: 402, message: 'The plan of this line is suspended until its renewal is paid.' },
} as const satisfies ErrorTerms;

export const STATIC_REASONS = {
  address_note_too_long: 'A note has at most {max} characters.',
  address_works: '{ip} passes its checks: choose another reason, which counts against your allowance.',
  addresses_missing: 'Name at least one address.',
  addresses_of_others: 'Name addresses of this plan.',
  client_unfit: '"{address}" is not an IP address or network such as 203.0.113.0/24.',
  clients_too_many: 'At most {max} addresses or networks can be allowed.',
  exchange_too_large: 'At most {max} addresses can be exchanged at once.',
  exchanges_left: 'Only {left} more can be exchanged this month.',
  exchanges_used_up: 'This month’s exchanges are used up.',
  few_addresses_free: 'Only {free} of these addresses are free at the moment.',
  ipv4_network_unfit: '"{address}" is not an IPv4 address or a network from /16 to /32.',
  ipv4_unfit: '"{address}" is not an IPv4 address.',
  last_address_stays: 'A plan keeps at least one address: cancel it to give back all.',
  one_address_free: 'Only 1 of these addresses is free at the moment.',
  plan_address_unknown: 'This plan does not have that address.',
  plan_being_changed: 'Bought addresses are on their way to this plan: change it again when they are there.',
  plan_being_renewed: 'This plan is being renewed: try again when that is paid.',
  plan_cancelled: 'This plan is cancelled at the end of its period: take the cancellation back first.',
  plan_ended: 'This plan has ended.',
  plan_label_too_long: 'A label has at most {max} characters.',
  plan_not_delivered: 'This plan is not delivered yet.',
  plan_suspended: 'This plan is suspended: pay the open invoice to go on.',
  price_below_cent: 'A price is at least one cent.',
  product_unknown: 'There is no such product.',
  proxy_password_unfit: 'A proxy password has 10 to 64 characters: letters, digits and . _ ~ - only.',
  proxy_username_unfit: 'A username has 6 to 32 letters, digits or underscores.',
  static_quantity: 'A plan has {min} to {max, number} addresses; for more, please write to us.',
  username_taken: 'This username is taken.',
} as const satisfies ReasonTerms;
