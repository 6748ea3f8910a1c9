import { applyTheme, readTheme, storeTheme, themes } from '@heddle/web/theme'
import { elementById } from './elements.ts'

const names = { system: 'System', light: 'Light', dark: 'Dark' }

/** The button that goes from one theme to the next. */
export function chooseThemeByButton(): void {
  const button = elementById('theme')
  let theme = readTheme(window.localStorage)
  const show = () => (button.textContent = `Theme: ${names[theme]}`)
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
    storeTheme(window.localStorage, theme)
    applyTheme(theme)
    show()
  })
  show()
}
