import type { Locator } from 'playwright-core'

/** How many lines the text of an element has on screen. */
export const linesOf = (element: Locator) =>
  element.evaluate((shown) => {
    const range = document.createRange()
    range.selectNodeContents(shown)
    return range.getClientRects().length
  })
