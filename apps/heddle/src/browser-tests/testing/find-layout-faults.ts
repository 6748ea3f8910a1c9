import type { Page } from 'playwright-core'

/** Faults that a person would see: a page that scrolls sideways, controls that lie on each other, a control or heading whose text is cut without an ellipsis. */
export function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const maxFaults = 10
    const slackPx = 2
    const nameOf = (element: Element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
      return `<${element.localName}> "${text}"`
    }
    const faults: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth + 1) {
      const [widest] = [...document.body.querySelectorAll('*')].sort(
        (a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right,
      )
      faults.push(`the page is ${scrollWidth} px wide in a window of ${clientWidth} px${widest ? `: ${nameOf(widest)}` : ''}`)
    }
    const isShown = (element: Element) => {
      const { width, height, top, bottom } = element.getBoundingClientRect()
      if (width < slackPx || height < slackPx || bottom <= 0 || top >= window.innerHeight) return false
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    }
    /** The part of it that no scrolling box cuts off. */
    const shownPart = (element: Element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect()
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflow === 'visible') continue
        const edge = box.getBoundingClientRect()
        left = Math.max(left, edge.left)
        top = Math.max(top, edge.top)
        right = Math.min(right, edge.right)
        bottom = Math.min(bottom, edge.bottom)
      }
      return { left, top, right, bottom }
    }
    /** What is pinned, such as a header that stays while rows scroll below it, may lie on others. */
    const isPinned = (element: Element) => {
      for (let box: Element | null = element; box; box = box.parentElement)
        if (['fixed', 'sticky'].includes(getComputedStyle(box).position)) return true
      return false
    }
    const controls = [...document.querySelectorAll('main :is(a, button, input, select, textarea), main :is(h1, h2, h3)')].filter(
      (element) => isShown(element) && !isPinned(element),
    )
    const boxes = controls.map((element) => ({ element, box: shownPart(element) }))
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (width > slackPx && height > slackPx) faults.push(`${nameOf(one.element)} and ${nameOf(other.element)} overlap`)
      }
    }
    for (const element of controls.filter(({ localName }) => ['button', 'h1', 'h2', 'h3'].includes(localName))) {
      const style = getComputedStyle(element)
      const cuts = element.scrollWidth > element.clientWidth + slackPx && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis'
      if (cuts) faults.push(`${nameOf(element)} is cut`)
    }
    return faults.slice(0, maxFaults)
  })
}
