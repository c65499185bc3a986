// What an exit with many addresses is told about a line: the place, and a session name that does not reveal the customer.
import { createHash, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { type Exit, type NetworkExit, countriesFor, hashOf, templatesOf } from './exit.ts';
import type { GatewayDefinition } from './protocol/gateway.ts';
import type { LineTarget } from './protocol/line-username.ts';
import { fillTemplate } from './protocol/login-template.ts';

/** A line as such an exit sees it. */
export interface ExitLine {
  target: LineTarget;
  /** The token of this session, the same on every node. Undefined: rotating, or the exit has one address for all. */
  session?: string | undefined;
}

export interface Login {
  username: string;
  password: string;
}

/** 16 lower-case letters and digits, which all sellers accept. */
const toToken = (bytes: Buffer): string =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(36)
    .padStart(16, '0')
    .slice(-16);

/** The token of a session at one exit. `key`: plan, place and session number; `life`: how many sessions with this key have ended. */
export const sessionToken = (exit: Exit, key: string, life: number): string =>
  toToken(createHash('sha256').update(`${exit.definition.id}|${key}#${life}`).digest().subarray(0, 12));

/** The log-in at a gateway for a line; undefined when its templates need something that the line does not have. */
export function loginAt(definition: GatewayDefinition, { target, session }: ExitLine): Login | undefined {
  const choices = countriesFor(definition, target.country);
  const random = toToken(randomBytes(12));
  const values = {
    // A session keeps the country that it began in.
    country: choices?.[hashOf(session ?? random) % choices.length],
    state: target.state,
    city: target.city,
    asn: target.asn,
    session,
    minutes: session === undefined ? undefined : String(Math.max(definition.minSessionMinutes ?? 1, target.lifetime ?? 1)),
    random,
  };
  const { username, password } = templatesOf(definition);
  const filled = { username: fillTemplate(username, values, definition.names), password: fillTemplate(password, values, definition.names) };
  return filled.username === undefined || filled.password === undefined ? undefined : (filled as Login);
}

/** An address of the network: fixed for a session, random for a rotating line. The first and the last address of the network are not used. */
export function addressIn({ network }: NetworkExit, session: string | undefined): string {
  const [prefix, bits] = ipaddr.parseCIDR(network);
  const address = prefix.toByteArray();
  const host = session === undefined ? randomBytes(16) : createHash('sha256').update(session).digest().subarray(0, 16);
  for (let index = 0; index < 16; index++) {
    const own = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - own)) & 0xff;
    address[index] = ((address[index] as number) & mask) | ((host[index] as number) & ~mask & 0xff);
  }
  // The address with host bits 0 is the Subnet-Router anycast address. RFC 4291, 2.6.1.
  if (bits < 127 && (address[15] === 0 || address[15] === 0xff)) address[15] = 1 + ((host[0] as number) % 0xfd);
  return ipaddr.fromByteArray(address).toString();
}
