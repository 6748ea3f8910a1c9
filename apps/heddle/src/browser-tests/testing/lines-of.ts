import type { Locator } from 'playwright-core'

/** How many lines the text of an element has on screen. */
export const linesOf = (element: Locator) =>
  element.evaluate((shown) => {
    const range = document.createRange()
    range.selectNodeContents(shown)
    // A `::first-letter` with its own style has a separate rectangle, on the same line.
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  })
