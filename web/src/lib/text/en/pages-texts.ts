import { docs } from './docs.ts';
import { landing } from './landing.ts';

export const pageTexts = { docs, landing };
