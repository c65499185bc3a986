/** A map of pages for search engines (https://www.sitemaps.org/protocol.html). */
export const sitemapOf = (origin: string, paths: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `  <url><loc>${new URL(path, origin).href}</loc></url>`),
    '</urlset>\n',
  ].join('\n');

export const SITEMAP_TYPE = 'application/xml; charset=utf-8';
