// The settings that the sandbox reads from the configuration.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';

export const sandboxConfiguration = configPart({
  SANDBOX_QEMU: [
    z.string().min(1).optional(),
    "qemu-system-x86_64 or its path: a node of the sandbox's hypervisor runs real virtual machines with it",
  ],
});
