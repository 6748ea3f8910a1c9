import type { ReactNode } from 'react'
import { KeyHint } from '../../ui/key-hint.tsx'

interface Properties {
  htmlFor: string
  text: string
  /** The key of the page that focuses the field. */
  keys: string
  /** Actions for it, before the key. */
  children?: ReactNode
}

/** The label of a text that may be left empty. */
export const TextLabel = ({ htmlFor, text, keys, children }: Properties) => (
  <div className="mb-1 flex min-h-6 items-center gap-2">
    <label htmlFor={htmlFor} className="font-medium">
      {text}
    </label>
    <span className="text-xs text-fg-3">Optional</span>
    <span className="grow" />
    <span className="text-xs">{children}</span>
    <KeyHint keys={keys} />
  </div>
)
