/** The action of a key on the page of an item. */
export type AnnotateAction =
  | {
      do:
        | 'next'
        | 'previous'
        | 'field-up'
        | 'field-down'
        | 'commit'
        | 'leave-field'
        | 'complete'
        | 'skip'
        | 'reopen'
        | 'undo'
        | 'note'
        | 'corrected-output'
    }
  | { do: 'option'; at: number }

/** What matters of a key press, and of where it happens. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  /** The key is held down: a repeat that was not meant for the next item on screen. */
  repeat: boolean
  /** In a field that takes text. */
  isTyping: boolean
}

const plainKeys: Readonly<Record<string, AnnotateAction>> = {
  ArrowRight: { do: 'next' },
  ArrowLeft: { do: 'previous' },
  ArrowUp: { do: 'field-up' },
  ArrowDown: { do: 'field-down' },
  s: { do: 'skip' },
  r: { do: 'reopen' },
  u: { do: 'undo' },
  n: { do: 'note' },
  c: { do: 'corrected-output' },
}

/** The action of a key press; undefined for one that the page does not handle, such as a browser shortcut or a letter in a text. */
export function toAnnotateAction(press: KeyPress): AnnotateAction | undefined {
  const { key, repeat, isTyping, altKey, shiftKey } = press
  const isCommand = press.ctrlKey || press.metaKey
  if (repeat || altKey) return undefined
  if (isCommand) return key === 'Enter' ? { do: 'complete' } : undefined
  if (key === 'Escape') return isTyping ? { do: 'leave-field' } : undefined
  if (key === 'Enter' && isTyping && !shiftKey) return { do: 'commit' }
  if (isTyping || shiftKey) return undefined
  if (/^[1-9]$/.test(key)) return { do: 'option', at: Number(key) - 1 }
  return Object.hasOwn(plainKeys, key) ? plainKeys[key] : undefined
}
