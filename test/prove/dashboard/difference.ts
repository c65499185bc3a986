// Compares two screenshots pixel by pixel, in the browser that took them, which can decode its own files.
import type { Browser, Page } from 'playwright-core';

export interface Difference {
  /** The share of pixels that differ, 0 to 1. */
  share: number;
  why?: string;
}

/** A colour channel may differ by this much of 255. */
const SLACK = 24;

const desks = new WeakMap<Browser, Promise<Page>>();

export async function differenceOf(browser: Browser, kept: Buffer, now: Buffer): Promise<Difference> {
  if (kept.equals(now)) return { share: 0 };
  let desk = desks.get(browser);
  if (!desk) desks.set(browser, (desk = browser.newPage()));
  return (await desk).evaluate(
    async ({ urls, slack }) => {
      const [one, other] = await Promise.all(
        urls.map(async (url) => {
          const image = await createImageBitmap(await (await fetch(url)).blob());
          const { width, height } = image;
          const context = new OffscreenCanvas(width, height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return { width, height, points: context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray() };
        }),
      );
      if (!one || !other || one.width !== other.width || one.height !== other.height) return { share: 1, why: 'another size.' };
      let differing = 0;
      for (let at = 0; at < one.points.length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs((one.points[at + channel] ?? 0) - (other.points[at + channel] ?? 0)) > slack)) differing++;
      return { share: (differing * 4) / one.points.length };
    },
    { urls: [kept, now].map((file) => `data:image/png;base64,${file.toString('base64')}`), slack: SLACK },
  );
}
