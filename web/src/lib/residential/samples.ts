// Sample code for one line, by language. The line itself comes from the API.
import { formatLine, type Scheme } from './lines.ts';

export const sampleLanguages = ['curl', 'Python', 'Node'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

const target = 'https://example.com/';

export function sampleCode(language: SampleLanguage, line: string, scheme: Scheme): string {
  const url = formatLine(line, 'url', scheme);
  // socks5h: the proxy resolves the host name, as an HTTP proxy does.
  const remote = url.replace(/^socks5:/, 'socks5h:');
  switch (language) {
    case 'curl':
      return `curl -x "${remote}" ${target}`;
    case 'Python':
      return [
        scheme === 'socks5' ? '# pip install "requests[socks]"' : '# pip install requests',
        'import requests',
        '',
        `proxy = "${remote}"`,
        `answer = requests.get("${target}", proxies={"http": proxy, "https": proxy}, timeout=30)`,
        'print(answer.status_code)',
      ].join('\n');
    case 'Node':
      return scheme === 'socks5'
        ? [
            '// npm install socks-proxy-agent',
            "import { get } from 'node:https';",
            "import { SocksProxyAgent } from 'socks-proxy-agent';",
            '',
            `const agent = new SocksProxyAgent('${remote}');`,
            `get('${target}', { agent }, (answer) => console.log(answer.statusCode));`,
          ].join('\n')
        : [
            '// npm install undici',
            "import { ProxyAgent, fetch } from 'undici';",
            '',
            `const dispatcher = new ProxyAgent('${url}');`,
            `const answer = await fetch('${target}', { dispatcher });`,
            'console.log(answer.status);',
          ].join('\n');
  }
}
