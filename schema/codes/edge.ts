import type { ErrorTerms } from './terms.ts';

export const EDGE_ERRORS = {
  client_not_allowed: { status: 403, message: 'This line does not work from your address: its owner named those that may use it.' },
  connections_exhausted: { status: 429, message: 'Too many connections are open at once.', retryable: true },
  exit_failed: { status: 502, message: 'The exit address could not open the connection.', retryable: true },
  exit_gone: { status: 503, message: 'The exit address of this session is gone: use another session number.' },
  exit_unavailable: { status: 503, message: 'There is no exit address for this place at the moment.', retryable: true },
  head_too_large: { status: 431, message: 'The head of the request is too large.' },
  metering_unavailable: { status: 503, message: 'The traffic cannot be counted at the moment: please try again shortly.', retryable: true },
  proxy_credentials_required: { status: 407, message: 'This proxy asks for a username and a password: none were given.' },
  proxy_credentials_wrong: { status: 407, message: 'The proxy username or password is wrong.' },
  proxy_loop: { status: 403, message: 'The target is this proxy itself.' },
  proxy_password_replaced: { status: 407, message: 'This proxy password is of before a reset: use the lines with the new one.' },
  proxy_request_invalid: { status: 400, message: 'This is not a request that a proxy can take.' },
  proxy_username_invalid: { status: 400, message: 'The proxy username has a part that is not known.' },
  target_address_forbidden: { status: 403, message: 'The target address is not on the public internet.' },
  target_blocked: { status: 403, message: 'The network that this line leaves by lets nobody to this target.' },
  target_family_unreachable: {
    status: 502,
    message: 'The target has only addresses of a family, IPv4 or IPv6, that no exit of this line can reach.',
  },
  target_name_unknown: { status: 502, message: 'The host name of the target cannot be resolved.' },
  target_port_forbidden: { status: 403, message: 'Connections to this port are not allowed.' },
  target_refused: { status: 502, message: 'The target refused the connection.', retryable: true },
  target_response_invalid: { status: 502, message: 'The target did not answer as an HTTP server.' },
  target_timeout: { status: 504, message: 'The target did not answer in time.', retryable: true },
} as const satisfies ErrorTerms;
