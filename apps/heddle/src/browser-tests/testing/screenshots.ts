import { mkdir } from 'node:fs/promises'
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
