import { elementById } from './elements.ts'

/** The button that shows the list of pages on narrow screens. */
export function openMenu(): void {
  const button = elementById('menu')
  const sidebar = elementById('sidebar')
  const show = (isShown: boolean) => {
    button.setAttribute('aria-expanded', String(isShown))
    sidebar.toggleAttribute('data-shown', isShown)
  }
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return
    show(false)
    button.focus()
  })
  sidebar.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}
