// Support enrols a proxy node, sees it come online, drains it and resumes it, all without a reload.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { type Edge, startEdge } from '../../edge/edge.ts';
import { remoteControlPlane } from '../../edge/remote-control-plane.ts';
import { localExit } from '../edge/world.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { staffCookie } from './filled-account.ts';

let stack: Stack;
let browser: Browser;
let edge: Edge | undefined;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
});
afterAll(async () => {
  await edge?.close();
  await browser?.close();
  await stack?.close();
});

test('a node is enrolled, comes online, is drained and comes back', async () => {
  const { page, context, complaints } = await visitInTest(browser, stack.url);
  await context.addCookies([await staffCookie(stack)]);
  await page.goto(`${stack.url}/support/edges`);
  await page.getByText('No node yet').waitFor();
  await page.getByRole('button', { name: 'Enrol a node' }).click();
  await page.getByLabel('Id').fill('Not an id');
  await page.getByRole('dialog').getByRole('button', { name: 'Enrol a node' }).click();
  await page.getByText('beginning with a letter or digit').waitFor();
  await page.getByLabel('Id').fill('fra-1');
  await page.keyboard.press('Enter');
  const shown = await page
    .getByText(/EDGE_KEY=/)
    .first()
    .innerText();
  const key = /EDGE_KEY=(\S+)/.exec(shown)?.[1] ?? expect.unreachable();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByText('Never seen').waitFor();

  edge = await startEdge({
    controlPlane: remoteControlPlane({ url: stack.url, key, log: silentLog }),
    exits: [localExit(81), localExit(82, { country: 'fr' })],
    listen: [{ address: '127.0.0.1', port: 0 }],
    log: silentLog,
  });
  await edge.sendStatus();
  await page.getByText('Online').waitFor();
  await page.getByRole('link', { name: 'fra-1' }).click();
  await page.getByRole('heading', { level: 1, name: 'fra-1' }).waitFor();
  await page.getByText('exit-81').waitFor();
  await page.getByLabel('Find an exit').fill('fr');
  await page.getByText('exit-81').waitFor({ state: 'detached' });
  await page.getByText('exit-82').waitFor();

  await page.getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Drain' }).click();
  await page.getByText('Draining').waitFor();
  expect(await page.getByRole('button', { name: 'Drain' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Take connections again' }).click();
  await page.getByText('Online').waitFor();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked').first().waitFor();
  expect(complaints).toEqual([]);
});
