// What has changed for programs, newest first, and what may change how.
import { API_CHANGES } from './api-changes.ts';
import { type Block, type DocsPage, heading, list, paragraph } from './page.ts';

export const changesPage = (): DocsPage => ({
  path: '/docs/changes',
  title: 'Changes',
  summary: 'What has changed of REST, MCP and GraphQL, and how a change is announced.',
  blocks: [
    heading('What stays'),
    list(
      '`/v1` only grows: operations, members, codes and event types are added, and a program is to ignore what it does not know. A removal needs `/v2`, and is announced 12 months before with the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).',
      'GraphQL grows too; what is to go is marked `@deprecated` with both dates. [`/graphql/schema/changes`](/graphql/schema/changes) compares every publication of the schema with the one before.',
      'Tools of MCP follow the operations of REST.',
    ),
    ...API_CHANGES.flatMap(({ title, changes }): Block[] => [heading(title), list(...changes)]),
    paragraph('Something else has changed, or does not work as it is told here? Write to support with the `request_id` of an answer.'),
  ],
});
