import { flushSync } from 'react-dom'
import { isTextInput } from './use-keys.ts'

export const focusText = (id: string) => document.getElementById(id)?.focus()

/** Focuses the chosen option of a field, or its first input. */
export function focusField(name: string | undefined): void {
  const field = [...document.querySelectorAll<HTMLElement>('fieldset[data-field]')].find((one) => one.dataset['field'] === name)
  const input = field?.querySelector<HTMLElement>('input:checked') ?? field?.querySelector('input')
  input?.focus()
}

/** Typed text is saved when its field loses the focus, even if a key or the browser leaves the item. */
export function commitTyped(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && isTextInput(activeElement)) flushSync(() => activeElement.blur())
}
