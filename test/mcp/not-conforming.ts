// The checks of the official conformance suite that our server fails, each with the reason why it cannot apply: all of them are about something that is not
// offered. The list may only shrink: a check that passes leaves it, and a check that fails anew is mended.

interface Reason {
  because: string;
  /** `scenario: check`, as the suite names them. */
  checks: readonly string[];
}

/** Where a server asks its client, or tells it something, after the request: versions until 2025-11-25 need a session for that. */
const NO_SESSIONS =
  'There are no sessions, so that any process may answer any request: a server cannot ask a client of this version back, keep a level of its log or ' +
  'a subscription, or resume a stream. What these would do, clients of 2026-07-28 get by results that require input and by `subscriptions/listen`.';

/** Optional: the requirements of 2026-07-28 list the scenarios as an extension, not scored. */
const NO_TASKS =
  'The extension of tasks (SEP-2663) is not offered and not announced: what takes long is an operation with an id, which its own tool is asked about ' +
  '(`get_server_operation`), by clients of every version.';

export const NOT_CONFORMING: Readonly<Record<string, readonly Reason[]>> = {
  '2025-11-25': [
    {
      because: NO_SESSIONS,
      checks: [
        'elicitation-sep1034-defaults: elicitation-sep1034-general',
        'elicitation-sep1330-enums: elicitation-sep1330-general',
        'logging-set-level: logging-set-level',
        'resources-subscribe: resources-subscribe',
        'resources-unsubscribe: resources-unsubscribe',
        'server-sse-multiple-streams: server-sse-multiple-streams-session',
        'server-sse-polling: server-sse-polling-session',
        'server-sse-polling: server-sse-priming-event',
        'server-sse-polling: server-sse-retry-field',
        'tools-call-elicitation: tools-call-elicitation',
        'tools-call-sampling: tools-call-sampling',
        'tools-call-with-logging: tools-call-with-logging',
      ],
    },
  ],
  '2026-07-28': [
    {
      because: NO_TASKS,
      checks: [
        'tasks-capability-negotiation: sep-2663-server-rejects-undeclared-client',
        'tasks-capability-negotiation: sep-2663-tasks-methods-non-declaring',
        'tasks-capability-negotiation: tasks-extension-advertised',
        'tasks-capability-negotiation: tasks-per-request-meta-opt-in',
        'tasks-dispatch-and-envelope: sep-2663-durable-create-strong-consistency',
        'tasks-dispatch-and-envelope: sep-2663-legacy-task-param-ignored',
        'tasks-dispatch-and-envelope: sep-2663-tasks-get-invalid-task-id-32602',
        'tasks-dispatch-and-envelope: tasks-immediate-result-shortcut',
        'tasks-dispatch-and-envelope: tasks-result-type-complete-on-non-task-responses',
        'tasks-dispatch-and-envelope: tasks-server-directed-creation-no-hint',
        'tasks-lifecycle: sep-2663-cancel-ack-empty-result',
        'tasks-lifecycle: sep-2663-result-type-task-on-create',
        'tasks-lifecycle: sep-2663-tasks-get-status-completed',
        'tasks-lifecycle: sep-2663-tasks-get-status-failed',
        'tasks-lifecycle: sep-2663-tasks-get-status-working',
        'tasks-lifecycle: sep-2663-tool-error-uses-completed-status',
        'tasks-lifecycle: tasks-cancel-terminal-idempotent-ack',
        'tasks-lifecycle: tasks-sync-tool-call',
        'tasks-mrtr-composition: sep-2663-mrtr-synchronous-before-task-creation',
        'tasks-mrtr-input: sep-2663-tasks-get-status-input-required',
        'tasks-mrtr-input: tasks-mrtr-partial-fulfillment',
        'tasks-mrtr-input: tasks-mrtr-tasks-update-resumes',
        'tasks-request-headers: sep-2663-routing-headers-accepted-on-tasks-get',
        'tasks-request-headers: sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
        'tasks-request-headers: tasks-headers-tolerate-mcp-method-on-tools-call',
        'tasks-request-state-removal: tasks-request-state-removal-setup',
        'tasks-required-task-error: sep-2663-server-returns-missing-capability-when-required',
        'tasks-wire-fields: tasks-no-early-ttl-expiry',
        'tasks-wire-fields: tasks-no-related-task-meta-on-inlined-result',
        'tasks-wire-fields: tasks-wire-field-renames',
      ],
    },
  ],
};
