import type { Pages } from '../dictionary.ts';
import { docs } from './docs.ts';
import { landing } from './landing.ts';

export const pageTexts: Pages = { docs, landing };
