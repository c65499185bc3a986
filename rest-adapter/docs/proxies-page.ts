// What customers are told of proxies: the numbers are those that the nodes go by, the parts of a username those that they read.
import type { Language } from '#platform/language.ts';
import type { ProxyRules } from '../../schema/proxy-rules.ts';
import { PROXY_MENDING } from '../../schema/codes/mending.ts';
import { LINE_EXAMPLES, LINE_PARTS } from '../../schema/line-parts.ts';
import { type DocsPage, heading, paragraph, table } from './page.ts';
import { TEXTS } from './text/index.ts';

export function proxiesPage(rules: ProxyRules, language: Language): DocsPage {
  const { title, lead, username, counting, limits, ends, quality, targets, refusals } = TEXTS[language].proxyTexts(rules);
  const told = (section: { title: string; text: readonly string[] }) => [heading(section.title), ...section.text.map(paragraph)];
  return {
    path: '/docs/proxies',
    title,
    summary: lead,
    language,
    blocks: [
      heading(username.title),
      paragraph(username.lead),
      table(
        username.head,
        LINE_PARTS.map((part) => [`\`${part}\``, username.parts[part], `\`USER-${LINE_EXAMPLES[part]}\``]),
      ),
      heading(counting.title),
      paragraph(counting.lead),
      table(counting.head, counting.rows),
      heading(limits.title),
      table(limits.head, limits.rows),
      ...told(ends),
      ...told(quality),
      ...told(targets),
      heading(refusals.title),
      paragraph(refusals.lead),
      table(
        refusals.head,
        Object.entries(PROXY_MENDING).map(([name, mending]) => [`\`${name}\``, mending[language]]),
      ),
    ],
  };
}
