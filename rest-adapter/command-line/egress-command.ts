#!/usr/bin/env node
// The command `egress`. It knows the platform by its REST API alone.
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), processTerminal());
