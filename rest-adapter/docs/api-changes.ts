// What has changed for programs, newest first. A test holds that each operation beyond those of the first version stands here.
export interface ApiChanges {
  /** Of the days on which they came. */
  title: string;
  /** A sentence each; may have `code` and links. */
  changes: readonly string[];
}

export const API_CHANGES: readonly ApiChanges[] = [
  {
    title: '29 November 2026',
    changes: [
      'Lines of ISP and datacenter plans for HTTPS proxies, where they are offered: `protocol=https` at `GET /v1/static/isp`.',
      'Lines of ISP and datacenter plans are tested by a real request: `test_static_line`.',
      'VPS are ordered at a location: `list_vps_locations`, `location` of an offer of a VPS and of a server.',
      'Servers are cancelled by key, and kept again: `cancel_server`, `keep_server`.',
      'OpenAPI names what operations share (`Server`, `Order`, `ProxyBatch`, ...), and DELETE says that it refuses a body that is no JSON.',
    ],
  },
  {
    title: '28 November 2026',
    changes: [
      'GraphQL, breaking: fields of Query that belong to one part of the platform are null where an error says why, and never else (`@semanticNonNull`). Read `errors`, which have the path of the field, before `data`.',
      'GraphQL: the schema by kind of reader at `/graphql/schema.graphql`, `@requiresScopes` and `@cost` in it; subscriptions over Server-Sent Events; documents that are registered and asked by their hash.',
      'MCP: assistants sign in by OAuth 2.1 with nothing but the address. A key in the header goes on working.',
      'Lines are tested by a real request: `test_proxy_line`. A sticky session gets a new address: `renew_proxy_session`.',
      'Packages are filled up: `get_top_up_price`, `top_up_plan`, `list_top_ups`, `set_auto_top_up`, `stop_auto_top_up`; marks of use: `set_plan_alerts`.',
      'Orders by key, within a ceiling that support grants: `get_residential_offer`, `get_static_offer`, `get_vps_offer`, `get_dedicated_offer`, `place_order`, `get_order`, `get_order_allowance`.',
      'Log-in by address: `list_client_networks`, `add_client_network`, `remove_client_network`, `set_plan_log_in`.',
      'The same at static plans: `list_static_networks`, `add_static_network`, `remove_static_network`, `set_static_log_in`.',
      'The request log: `list_requests`, `set_request_log`, `delete_request_log`.',
    ],
  },
  {
    title: '27 November 2026',
    changes: [
      'Servers by key: `list_servers`, `get_server`, `list_server_operations`, `get_server_operation`, `list_server_backups`, `change_server`, `set_server_reverse_name`.',
      'What is done to them, answered with 202 and an operation: `start_server`, `reboot_server`, `stop_server`, `force_stop_server`, `reset_server_password`, `rescue_server`, `leave_server_rescue`, `take_server_backup`, `reinstall_server`, `restore_server`. All take an `Idempotency-Key`.',
      'Where the bytes went: `get_usage_breakdown`. A batch again: `get_proxy_batch`. What a line says: `check_proxy_line`.',
      'MCP: resources, prompts, completion of the ids of plans.',
    ],
  },
  {
    title: '25 November 2026',
    changes: [
      'Webhooks by the Standard Webhooks specification, kept by key: `create_webhook`, `list_webhooks`, `get_webhook`, `change_webhook`, `renew_webhook_secret`, `test_webhook`, `replay_webhook`, `resend_webhook_event`, `list_webhook_deliveries`, `remove_webhook`.',
    ],
  },
  {
    title: '24 November 2026',
    changes: [
      'REST: a path that does not take a method answers 405 with `Allow`; it was 404. OPTIONS and CORS for pages with a key of their own, 406, problem details by `Accept`, `ETag` with 304. A mistyped parameter stays without effect, and is named in `message` and `Unknown-Parameters`.',
      'What operations cost comes out of one budget of a minute over REST, MCP and GraphQL, beside the requests.',
      'GraphQL without a key answers the documents of the dashboard alone.',
      'Places, and the sticky times of a plan: `list_locations`. Events from a cursor: `list_events`.',
      'Proxy users: `list_proxy_users`, `create_proxy_user`, `get_proxy_user`, `change_proxy_user`, `reset_proxy_user_password`, `renew_proxy_user`, `remove_proxy_user`.',
      'Answers are compressed with zstd, brotli or gzip, as `Accept-Encoding` says.',
    ],
  },
  {
    title: '21 November 2026',
    changes: [
      'The first version: `list_residential_plans`, `generate_residential_proxies`, `get_residential_usage`, `get_residential_statistics`, `list_static_plans`, `get_subscriptions`, as REST, as tools of MCP, and GraphQL with live subscriptions.',
    ],
  },
];
