import { type ComponentProps, Suspense, useEffect, useState } from 'react'
import { Search } from 'lucide-react'
import { cx } from '../lib/cx.ts'
import type { Combobox as Real } from './combobox-parts.tsx'
import { whenIdle } from '../lib/code/when-idle.ts'
import { comboboxChunk } from './overlays.tsx'

const Parts = comboboxChunk.part<ComponentProps<typeof Real>>((m) => m.Combobox)
/** A plain field until its suggestions have loaded; text and focus are kept. */
export function Combobox(props: ComponentProps<typeof Real>) {
  const [ready, setReady] = useState(!!props.open)
  const [typed, setTyped] = useState('')
  const [focused, setFocused] = useState(false)
  // Without them it stays a plain field.
  useEffect(
    () =>
      whenIdle(() => {
        comboboxChunk.get().then(
          () => setReady(true),
          () => undefined,
        )
      }),
    [],
  )
  const Icon = props.icon ?? Search
  const plain = (
    <div className={cx('flex items-center gap-2', !props.bare && 'field h-8 px-2.5', props.className)}>
      <Icon size={14} aria-hidden className="text-fg-3" />
      <input
        aria-label={props.label}
        placeholder={props.placeholder}
        value={typed}
        onChange={(e) => setTyped(e.target.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        className="min-w-0 grow bg-transparent outline-none"
      />
    </div>
  )
  return ready ? (
    <Suspense fallback={plain}>
      <Parts {...props} start={typed} focus={focused} />
    </Suspense>
  ) : (
    plain
  )
}
export type { Suggestion } from './combobox-parts.tsx'
