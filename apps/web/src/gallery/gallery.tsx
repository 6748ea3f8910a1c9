import { useEffect, useState } from 'react'
import { whenIdle } from '../lib/code/when-idle.ts'
import { preloadOverlays } from '../ui/overlays.tsx'
import { Segmented, Tabs } from '../ui/tabs.tsx'
import { Toasts } from '../ui/toast.tsx'
import { TooltipLayer } from '../ui/tooltip.tsx'
import { Charts } from './charts.tsx'
import { Controls } from './controls.tsx'
import { Interaction } from './interaction.tsx'
import { Marks } from './marks.tsx'
import { Overlays } from './overlays.tsx'
import { States } from './states.tsx'
import { Tables } from './tables.tsx'
import { Texts } from './texts.tsx'

const parts = [
  { id: 'controls', label: 'Controls', show: Controls },
  { id: 'interaction', label: 'Interaction', show: Interaction },
  { id: 'overlays', label: 'Overlays', show: Overlays },
  { id: 'marks', label: 'Marks', show: Marks },
  { id: 'tables', label: 'Tables', show: Tables },
  { id: 'texts', label: 'Texts', show: Texts },
  { id: 'charts', label: 'Charts', show: Charts },
  { id: 'states', label: 'States', show: States },
]
const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** All parts of pages in all their states. The part is in the hash of the address. */
export function Gallery() {
  const [part, setPart] = useState(() => location.hash.slice(1) || 'controls')
  const [theme, setTheme] = useState('system')
  useEffect(() => whenIdle(preloadOverlays), [])
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  const { show: Part } = parts.find(({ id }) => id === part) ?? parts[0]!
  return (
    <main className="flex h-screen flex-col">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-sheet px-4">
        <h1 className="grow font-semibold">Gallery</h1>
        <Segmented label="Theme" items={themes} value={theme} onChange={setTheme} />
      </header>
      <Tabs
        label="Parts"
        tabs={parts}
        value={part}
        onChange={(id) => {
          location.hash = id
          setPart(id)
        }}
        className="bg-sheet"
      >
        <div className="flex flex-col gap-4 p-4">
          <Part />
        </div>
      </Tabs>
      <Toasts />
      <TooltipLayer />
    </main>
  )
}
