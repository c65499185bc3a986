import type { LegalKind } from '#lib/ops/legal.ts';

/** From a kind to the last segment of its path. */
export const LEGAL_PATHS = { TERMS: 'terms', PRIVACY: 'privacy', IMPRINT: 'imprint' } as const satisfies Record<LegalKind, string>;

export const LEGAL_KINDS = Object.keys(LEGAL_PATHS) as LegalKind[];

export const legalHref = (kind: LegalKind): string => `/legal/${LEGAL_PATHS[kind]}`;

export const kindOfPath = (path: string): LegalKind | undefined => LEGAL_KINDS.find((kind) => LEGAL_PATHS[kind] === path);

export interface LegalBlock {
  kind: 'HEADING' | 'LIST' | 'TEXT';
  lines: string[];
}

/** Splits a text into blocks: blank lines separate paragraphs, `# ` begins a heading, `- ` an item of a list. Nothing is interpreted as HTML. */
export function blocksOf(text: string): LegalBlock[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block): LegalBlock => {
      const lines = block.split('\n');
      if (/^#+ /.test(block) && lines.length === 1) return { kind: 'HEADING', lines: [block.replace(/^#+ /, '')] };
      if (lines.every((line) => line.startsWith('- '))) return { kind: 'LIST', lines: lines.map((line) => line.slice(2)) };
      return { kind: 'TEXT', lines };
    });
}
