// Reads block lists in the two forms that are published: hosts files (hosts(5): an address, then names) and one target per line. `#`, `;` and `!` begin comments.
import { isIP } from 'node:net';
import type { BlockedTargets } from './blocked-targets.ts';

/** The addresses that hosts files send unwanted names to. Other addresses there are entries of a real hosts file, whose names are reached. */
const NOWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '127.0.0.1', '::', '::1']);
/** A name with a dot: a whole top-level domain is blocked by nobody on purpose. `*.` and `.` before it mean the same as without. */
const NAME = /^(?:\*\.|\.)?((?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)\.?$/;
/** Names of the machine itself, which begin many hosts files. */
const OWN = /^(?:localhost\.localdomain|.*\.(?:local|localdomain))$/;
const COMMENT = /[#;!].*$/;

/** Adds every target of a text. Returns how many lines it could not read. Stops once `targets` has more than `most`. */
export function readBlocklist(text: string, targets: BlockedTargets, most: number): number {
  let unread = 0;
  for (const line of text.split('\n')) {
    if (targets.size > most) break;
    const words = line.replace(COMMENT, '').trim().toLowerCase().split(/\s+/).filter(Boolean);
    const [first = '', ...names] = words;
    if (first === '') continue;
    if (names.length > 0) {
      if (!NOWHERE.has(first)) unread += 1;
      else for (const name of names) addName(name, targets);
    } else if (NOWHERE.has(first) || !(targets.addNetwork(first) || addName(first, targets))) unread += 1;
  }
  return unread;
}

function addName(word: string, targets: BlockedTargets): boolean {
  const name = NAME.exec(word)?.[1];
  if (name === undefined || isIP(name) !== 0 || /^\d+$/.test(name.slice(name.lastIndexOf('.') + 1))) return false;
  if (!OWN.test(name)) targets.addName(name);
  return true;
}
