import { withoutDirection } from '../lib/texts/without-direction.ts'

/** Attributes that a browser shows, or a screen reader announces. */
const shownAttributes = [
  'title',
  'alt',
  'placeholder',
  'label',
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'aria-roledescription',
  'aria-placeholder',
  'data-tip',
] as const

type Properties = Readonly<Record<string, unknown>>

/**
 * Properties of an element without marks of writing direction in its texts and shown attributes: no style isolates them in a label, and in a sentence
 * they would reverse the following words. Values remain exact where they are shown verbatim, in a block (`pre`) or in a field. Function components
 * get their properties unchanged: these may be data, and their output passes through here again. Returns the same object if nothing is removed.
 */
export function cleanProperties(type: unknown, properties: Properties): Properties {
  if (typeof type === 'function') return properties
  const cleaned: Record<string, unknown> = {}
  let isChanged = false
  const set = (name: string, value: unknown) => {
    if (value === properties[name]) return
    cleaned[name] = value
    isChanged = true
  }
  for (const name of shownAttributes) {
    const value = properties[name]
    if (typeof value === 'string') set(name, withoutDirection(value))
  }
  if (type !== 'pre' && type !== 'textarea') set('children', cleanTexts(properties['children']))
  // The value of an option without one is its text.
  if (type === 'option' && 'children' in cleaned && properties['value'] === undefined) cleaned['value'] = textOf(properties['children'])
  return isChanged ? { ...properties, ...cleaned } : properties
}

/** Lists are copied only if a text in them changes, since React marks those that it has checked. */
function cleanTexts(children: unknown): unknown {
  if (typeof children === 'string') return withoutDirection(children)
  if (!Array.isArray(children)) return children
  let cleaned: unknown[] | undefined
  for (const [index, child] of children.entries()) {
    if (typeof child !== 'string' && !Array.isArray(child)) continue
    const clean = cleanTexts(child)
    if (clean !== child) (cleaned ??= [...children])[index] = clean
  }
  return cleaned ?? children
}

const textOf = (children: unknown): string => (Array.isArray(children) ? children.map(textOf).join('') : String(children ?? ''))
