import { edges } from './edges.ts';
import { inventory } from './inventory.ts';
import { machines } from './machines.ts';
import { support } from './support.ts';

export const deskTexts = { edges, inventory, machines, support };
