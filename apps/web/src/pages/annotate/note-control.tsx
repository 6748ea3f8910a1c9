import { useState } from 'react'
import { NoteField } from '../../features/notes/note-field.tsx'
import type { FieldState } from './annotation-saver.ts'
import { NotSaved } from './field-control.tsx'
import { TextLabel } from './text-label.tsx'

interface Properties {
  state: FieldState
  onChange: (value: string | undefined) => void
}

/** A note on the item. */
export function NoteControl({ state, onChange }: Properties) {
  const stored = typeof state.value === 'string' ? state.value : ''
  const [text, setText] = useState(stored)
  const [seen, setSeen] = useState(stored)
  if (seen !== stored) {
    setSeen(stored)
    setText(stored)
  }
  const commit = () => {
    if (text !== stored) onChange(text.trim() === '' ? undefined : text)
  }
  return (
    <div>
      <TextLabel htmlFor="note" keys="n" text="Note" />
      <NoteField id="note" rows={3} maxLength={1_000} value={text} data-commit="note" onChange={setText} onBlur={commit} />
      <NotSaved {...state} />
    </div>
  )
}
