import { type ReactNode, useEffect, useRef } from 'react'

/** What a pointer or a key makes of a part. */
export const momentaryStates = ['hover', 'focus', 'pressed'] as const
export type MomentaryState = (typeof momentaryStates)[number]

const selectors: readonly (readonly [pattern: RegExp, state: MomentaryState])[] = [
  [/:hover(?![\w-])/g, 'hover'],
  [/:focus-visible(?![\w-])/g, 'focus'],
  [/:active(?![\w-])/g, 'pressed'],
]
const within = /:focus-within(?![\w-])/g
const attribute = 'data-shown-state'
const pressable = 'button, a, input, textarea, [role="option"], [role="menuitem"], tr'

/** Shows a part as if it were under the pointer, had the focus or were held down: its rules are those of the page. */
export function Shown({ state, children }: { state: MomentaryState | undefined; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (state === undefined) return
    extendRules()
    const [last] = [...(ref.current?.querySelectorAll(pressable) ?? [])].slice(-1)
    last?.setAttribute(attribute, state)
    // A pointer is also on the elements around; the focus is on one element.
    if (state !== 'focus') last?.closest('label, .field')?.setAttribute(attribute, state)
  }, [state])
  return <div ref={ref}>{children}</div>
}

let isExtended = false

/** Rules for a state of the browser also apply to an element that is marked with the state. */
function extendRules(): void {
  if (isExtended) return
  isExtended = true
  for (const { cssRules } of document.styleSheets) for (const rule of cssRules) extendRule(rule)
}

function extendRule(rule: CSSRule): void {
  if (rule instanceof CSSStyleRule) {
    const marked = selectors.reduce(
      (text, [pattern, state]) => text.replace(pattern, `[${attribute}='${state}']`),
      rule.selectorText.replace(within, `:has([${attribute}='focus'])`),
    )
    if (marked !== rule.selectorText) rule.selectorText = `${rule.selectorText}, ${marked}`
  }
  if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) for (const inner of rule.cssRules) extendRule(inner)
}
