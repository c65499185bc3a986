// What an operator writes of a cluster of the hypervisor, in the settings or at the desk.
import { z } from 'zod';

/** "snippets:/mnt/pve/shared/snippets" */
export const snippets = z.string().transform((value, context) => {
  const [, storage = '', directory = ''] = /^([\w-]+):(\/.+)$/.exec(value) ?? [];
  if (!storage) context.addIssue({ code: 'custom', message: 'must be STORAGE:FOLDER such as shared:/mnt/pve/shared/snippets' });
  return { storage, directory };
});

export const apiToken = z.string().regex(/^[^!=\s]+@[^!=\s]+![^!=\s]+=\S+$/, 'must be USER@REALM!NAME=SECRET');
export const consoleUser = z.string().regex(/^[^!=\s]+@[^!=\s]+$/, 'must be USER@REALM');
export const vlan = z.coerce.number().int().min(1).max(4094);

/** The storage of ISO images. */
export const isoStorageOf = ({ isoStorage = 'local' }: { isoStorage?: string }): string => isoStorage;
