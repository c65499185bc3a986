import type { Servers } from '../dictionary.ts';
import { care, dedicated } from './dedicated.ts';
import { servers } from './servers.ts';
import { vps } from './vps.ts';

export const serverTexts: Servers = { care, dedicated, servers, vps };
