// Every text of the dashboard. A second language is a second module of the type `Dictionary`, chosen by the page's `lang`.
import { en } from './en/index.ts';

export type Dictionary = typeof en;

export const t: Dictionary = en;
