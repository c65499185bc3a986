// Proxmox VE's HTTP API with an API token.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { HypervisorTerms } from '../../hypervisor-configuration.ts';
import { HypervisorTrouble, type MachineRef, type Work } from '../hypervisor.ts';

const TIMEOUT_MS = 15_000;
/** An image is written to the node that is called, and only then is the call answered. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type MachineConfig = Record<string, string | number>;

/** A row of the cluster's resources. */
export interface Resource {
  vmid: number;
  node: string;
  name?: string;
  status: string;
  template?: number;
  maxmem?: number;
  maxcpu?: number;
  maxdisk?: number;
  lock?: string;
  cpu?: number;
  mem?: number;
}

interface Upload {
  /** In the order in which they are sent. */
  fields: Record<string, string>;
  name: string;
  /** On this machine. */
  file: string;
  size: number;
}

async function* inTurn(head: string, file: AsyncIterable<Buffer>, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* file;
  yield Buffer.from(tail);
}

export class ProxmoxClient {
  readonly terms: HypervisorTerms;
  private readonly agent: Agent;

  constructor(terms: HypervisorTerms) {
    this.terms = terms;
    // A new Proxmox VE signs its certificates with an authority of its own, /etc/pve/pve-root-ca.pem.
    this.agent = new Agent({ connections: 16, ...(terms.authorities !== undefined && { connect: { ca: terms.authorities } }) });
  }

  /** `signed`: the headers that authenticate a user other than the token. */
  async call<Data>(
    method: Method,
    path: string,
    body?: Record<string, string>,
    signed: Record<string, string> = { authorization: this.authorization },
  ): Promise<Data> {
    return this.answer<Data>(`${method} ${path}`, `${this.terms.url}/api2/json${path}`, {
      method,
      dispatcher: this.agent,
      headers: {
        ...signed,
        ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body && { body: new URLSearchParams(body).toString() }),
      signal: AbortSignal.timeout(this.terms.timeoutMs ?? TIMEOUT_MS),
    });
  }

  private async answer<Data>(what: string, url: string, options: Parameters<typeof request>[1]): Promise<Data> {
    try {
      const response = await request(url, options);
      // Releases before 8.3 give the reason only in the status line, which is not read here.
      const answer = (await response.body.json()) as { data: Data; message?: string; errors?: Record<string, string> };
      if (response.statusCode === 200) return answer.data;
      throw new HypervisorTrouble(`${what}: ${response.statusCode} ${answer.message?.trim() ?? ''} ${JSON.stringify(answer.errors ?? {})}`);
    } catch (error) {
      if (error instanceof HypervisorTrouble) throw error;
      throw new HypervisorTrouble(`${what}: ${String(error)}`, { cause: error });
    }
  }

  /**
   * Sends a file. PVE/APIServer/AnyEvent.pm of pve-http-server 5.1, file_upload_multipart, takes the parts in one order only, with the file as the last one, and a
   * body whose length is known.
   */
  async upload(path: string, { fields, name, file, size }: Upload): Promise<string> {
    const boundary = `egress-${randomUUID()}`;
    const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
    const given = Object.entries(fields).map(([field, value]) => `${part(`name="${field}"`)}\r\n${value}\r\n`);
    const head = `${given.join('')}${part(`name="filename"; filename="${name}"`)}Content-Type: application/octet-stream\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    return this.answer<string>(`POST ${path}`, `${this.terms.url}/api2/json${path}`, {
      method: 'POST',
      dispatcher: this.agent,
      headers: {
        authorization: this.authorization,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(Buffer.byteLength(head) + size + Buffer.byteLength(tail)),
      },
      body: Readable.from(inTurn(head, createReadStream(file), tail)),
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
  }

  get authorization(): string {
    return `PVEAPIToken=${this.terms.token}`;
  }

  /** The API path of a machine. */
  at({ node, number }: MachineRef): string {
    return `/nodes/${node}/qemu/${number}`;
  }

  /** Every machine of the cluster, with templates. `Row`: the fields that are read of each. */
  resources<Row extends Resource = Resource>(): Promise<Row[]> {
    return this.call('GET', '/cluster/resources?type=vm');
  }

  configOf(ref: MachineRef): Promise<MachineConfig> {
    return this.call('GET', `${this.at(ref)}/config`);
  }

  async setConfig(ref: MachineRef, config: Record<string, string>): Promise<void> {
    await this.call('PUT', `${this.at(ref)}/config`, config);
  }

  /** The state of a task; its id contains its node. */
  async task(id: string): Promise<Work> {
    const node = id.split(':')[1] ?? '';
    try {
      const { status, exitstatus = 'unexpected status' } = await this.call<{ status: string; exitstatus?: string }>(
        'GET',
        `/nodes/${node}/tasks/${encodeURIComponent(id)}/status`,
      );
      if (status === 'running') return { state: 'running', reason: null };
      const isDone = exitstatus === 'OK' || exitstatus.startsWith('WARNINGS');
      return isDone ? { state: 'done', reason: null } : { state: 'failed', reason: exitstatus };
    } catch (error) {
      // The node has forgotten the task; older releases answer that without a text.
      if (error instanceof HypervisorTrouble && /no such task|: (?:400|500)  /.test(error.message))
        return { state: 'unknown', reason: null };
      throw error;
    }
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}
