import { common } from './texts.ts';

export const t = await common;
