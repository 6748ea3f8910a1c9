import { element } from './elements.ts'

const shownMs = 2_000

/** A button on each block of code that copies its text. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', () => void copy(block.textContent ?? '', button))
    const frame = element('div', { class: 'code' })
    block.replaceWith(frame)
    frame.append(block, button)
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const done = await navigator.clipboard.writeText(text.replace(/\n$/, '')).then(
    () => true,
    () => false,
  )
  button.textContent = done ? 'Copied' : 'Not copied'
  setTimeout(() => (button.textContent = 'Copy'), shownMs)
}
