import type { ErrorTerms } from './terms.ts';

export const COMPUTE_ERRORS = {
  backup_not_found: { status: 404, message: 'The server has no such backup.' },
  console_ticket_invalid: { status: 403, message: 'This way into the console is not valid any more: open it again.' },
  datacenter_silent: { status: 503, message: 'The datacenter does not answer at the moment.', retryable: true },
  hand_work_not_found: { status: 404, message: 'This does not wait for anybody any more.' },
  machine_not_found: { status: 404, message: 'There is no such machine.' },
  reverse_names_not_available: { status: 409, message: 'Addresses cannot be given names here.' },
  server_not_found: { status: 404, message: 'The account has no such server.' },
  servers_not_sold: { status: 503, message: 'Servers cannot be bought at the moment.' },
} as const satisfies ErrorTerms;
