import type { Page } from 'playwright-core'

/**
 * Finds bidirectional control characters that are not isolated: in text, the window title, visible attributes and accessible names.
 * Text in `pre` and values of form fields are shown as sent, since each has its own box.
 */
export async function findMarks(page: Page): Promise<string[]> {
  const inDocument = await page.evaluate(() => {
    const mark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
    const found: string[] = []
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      if (mark.test(node.nodeValue ?? '') && parent?.closest('pre, textarea, script, style') === null)
        found.push(`<${parent.tagName.toLowerCase()} class="${parent.className}"> ${JSON.stringify(node.nodeValue?.slice(0, 80))}`)
    }
    const shown = ['title', 'alt', 'placeholder', 'label', 'data-tip']
    for (const element of document.querySelectorAll('*'))
      for (const { name, value } of element.attributes)
        if ((shown.includes(name) || (name.startsWith('aria-') && !/by$|controls$|owns$|activedescendant$/.test(name))) && mark.test(value))
          found.push(`<${element.tagName.toLowerCase()} ${name}=${JSON.stringify(value.slice(0, 80))}>`)
    return found
  })
  return [...inDocument, ...(await findInAccessibleNames(page))]
}

/** Roles whose name is the very text of a block. */
const texts = ['StaticText', 'InlineTextBox']

async function findInAccessibleNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes.flatMap(({ ignored, role, name }) => {
    const text = String(name?.value ?? '')
    const isName = !ignored && !texts.includes(String(role?.value))
    return isName && /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)
      ? [`${role?.value} named ${JSON.stringify(text.slice(0, 80))}`]
      : []
  })
}
