import type { Desk } from '../dictionary.ts';
import { edges } from './edges.ts';
import { inventory } from './inventory.ts';
import { machines } from './machines.ts';
import { support } from './support.ts';

export const deskTexts: Desk = { edges, inventory, machines, support };
