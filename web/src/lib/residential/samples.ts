// Ready code and settings for one line, by what uses it: one table. The line itself comes from the API.
import { formatLine, type Scheme } from './lines.ts';

/** A line in its parts. */
interface Parts {
  scheme: Scheme;
  host: string;
  port: string;
  username: string;
  password: string;
  /** `http://user:pass@host:port`, or with socks5. */
  url: string;
  /** The same by which the proxy resolves names: socks5h, as an HTTP proxy does. */
  remote: string;
  /** For what cannot log in to SOCKS5, such as Chromium: every port takes HTTP as well. */
  http: string;
}

const lines = (...text: string[]): string => text.join('\n');

/** From what uses a line to the text for it. `target`: the address that is asked for. */
const SAMPLES = {
  curl: ({ remote }, target) => `curl -x "${remote}" ${target}`,
  Python: ({ scheme, remote }, target) =>
    lines(
      scheme === 'socks5' ? '# pip install "requests[socks]"' : '# pip install requests',
      'import requests',
      '',
      `proxy = "${remote}"`,
      `answer = requests.get("${target}", proxies={"http": proxy, "https": proxy}, timeout=30)`,
      'print(answer.status_code)',
    ),
  Node: ({ scheme, url, remote }, target) =>
    scheme === 'socks5'
      ? lines(
          '// npm install socks-proxy-agent',
          `import { get } from 'node:${target.startsWith('https:') ? 'https' : 'http'}';`,
          "import { SocksProxyAgent } from 'socks-proxy-agent';",
          '',
          `const agent = new SocksProxyAgent('${remote}');`,
          `get('${target}', { agent }, (answer) => console.log(answer.statusCode));`,
        )
      : lines(
          '// npm install undici',
          "import { ProxyAgent, fetch } from 'undici';",
          '',
          `const dispatcher = new ProxyAgent('${url}');`,
          `const answer = await fetch('${target}', { dispatcher });`,
          'console.log(answer.status);',
        ),
  Go: ({ url }, target) =>
    lines(
      'package main',
      '',
      'import (',
      '\t"fmt"',
      '\t"net/http"',
      '\t"net/url"',
      ')',
      '',
      'func main() {',
      `\tproxy, _ := url.Parse("${url}")`,
      '\tclient := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}',
      `\tanswer, err := client.Get("${target}")`,
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      '\tdefer answer.Body.Close()',
      '\tfmt.Println(answer.StatusCode)',
      '}',
    ),
  Puppeteer: ({ http, username, password }, target) =>
    lines(
      '// npm install puppeteer',
      "import puppeteer from 'puppeteer';",
      '',
      `const browser = await puppeteer.launch({ args: ['--proxy-server=${http}'] });`,
      'const page = await browser.newPage();',
      `await page.authenticate({ username: '${username}', password: '${password}' });`,
      `const answer = await page.goto('${target}');`,
      'console.log(answer.status());',
      'await browser.close();',
    ),
  Playwright: ({ http, username, password }, target) =>
    lines(
      '// npm install playwright',
      "import { chromium } from 'playwright';",
      '',
      'const browser = await chromium.launch({',
      `  proxy: { server: '${http}', username: '${username}', password: '${password}' },`,
      '});',
      'const page = await browser.newPage();',
      `const answer = await page.goto('${target}');`,
      'console.log(answer.status());',
      'await browser.close();',
    ),
  Scrapy: ({ http, username, password }, target) =>
    lines(
      '# pip install scrapy; scrapy runspider spider.py',
      'import scrapy',
      '',
      '',
      'class Spider(scrapy.Spider):',
      '    name = "spider"',
      '',
      '    async def start(self):',
      `        proxy = "${http.replace('://', `://${username}:${password}@`)}"`,
      `        yield scrapy.Request("${target}", meta={"proxy": proxy})`,
      '',
      '    def parse(self, response):',
      '        print(response.status)',
    ),
  Chromium: ({ http, username, password }, target) =>
    lines('# It asks for the log-in:', `#   ${username}`, `#   ${password}`, `chromium --proxy-server="${http}" ${target}`),
} as const satisfies Record<string, (parts: Parts, target: string) => string>;

export type SampleLanguage = keyof typeof SAMPLES;
export const sampleLanguages = Object.keys(SAMPLES) as SampleLanguage[];

/** The text for a line as the API writes it. No part but the password may have a colon. */
export function sampleCode(language: SampleLanguage, line: string, scheme: Scheme, target = 'https://example.com/'): string {
  const [host = '', port = '', username = '', ...password] = line.split(':');
  const url = formatLine(line, 'url', scheme);
  const remote = url.replace(/^socks5:/, 'socks5h:');
  return SAMPLES[language](
    { scheme, host, port, username, password: password.join(':'), url, remote, http: `http://${host}:${port}` },
    target,
  );
}
