import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { isWholeRun } from './whole-runs.ts'

/** Ignored by git; kept for a person to look at. */
const folder = fileURLToPath(new URL('../../../../../.screenshots/', import.meta.url))

/** Stores a screenshot as `.screenshots/<name>.png`, in `npm run test:browser` alone. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!isWholeRun) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Stores what an element shows as `.screenshots/<name>.webp`, a third of the size, in `npm run test:browser` alone. */
export async function keepSmallPicture(page: Page, selector: string, name: string): Promise<void> {
  if (!isWholeRun) return
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not on the page`)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip: { ...box, scale: 1 } })
  await session.detach()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}
