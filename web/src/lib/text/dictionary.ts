import type { deskTexts } from './en/desk-texts.ts';
import type { developers } from './en/developers.ts';
import type { en } from './en/index.ts';
import type { pageTexts } from './en/pages-texts.ts';
import type { serverTexts } from './en/servers-texts.ts';
import type { settings } from './en/settings.ts';

export type Common = typeof en;
export type Desk = typeof deskTexts;
export type Pages = typeof pageTexts;
export type Servers = typeof serverTexts;

/** Every text of the dashboard. English is the model; another language is a module of this type. */
export type Dictionary = Common & Desk & Pages & Servers & { developers: typeof developers; settings: typeof settings };
