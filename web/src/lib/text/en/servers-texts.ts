import { care, dedicated } from './dedicated.ts';
import { servers } from './servers.ts';
import { vps } from './vps.ts';

export const serverTexts = { care, dedicated, servers, vps };
