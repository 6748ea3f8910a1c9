import { useState } from 'react'
import { applyTheme, readTheme, storeTheme, type Theme, themes } from './theme.ts'

const titles: Record<Theme, string> = { system: 'system theme', light: 'light theme', dark: 'dark theme' }

/** Chooses between light and dark pages; the choice stays in this browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => readTheme(window.localStorage))
  function choose(chosen: Theme) {
    setTheme(chosen)
    storeTheme(window.localStorage, chosen)
    applyTheme(chosen)
  }
  return (
    <select aria-label="Theme" className="theme" value={theme} onChange={({ target }) => choose(target.value as Theme)}>
      {themes.map((name) => (
        <option key={name} value={name}>
          {titles[name]}
        </option>
      ))}
    </select>
  )
}
