import { useState } from 'react'
import { toText } from '../../lib/texts/to-text.ts'
import { cx } from '../../lib/cx.ts'
import { Textarea } from '../../ui/field.tsx'
import { TextButton } from '../../ui/text-button.tsx'
import { readEntered } from './annotation-field.ts'
import type { FieldState } from './annotation-saver.ts'
import { NotSaved } from './field-control.tsx'
import { TextLabel } from './text-label.tsx'

interface Properties {
  /** Output of the call. Where it is not text, the corrected one is written as JSON. */
  output: unknown
  state: FieldState
  onChange: (value: unknown) => void
  /** Called with the reason when the typed text is not an output, and with undefined when it is one. */
  onRefused: (why: string | undefined) => void
}

const maxCharacters = 100_000

/** The output that the call should have had. */
export function CorrectedOutput({ output, state, onChange, onRefused }: Properties) {
  const isText = typeof output === 'string' || output === null || output === undefined
  const stored = state.value === undefined ? '' : toText(state.value)
  const [text, setText] = useState(stored)
  const [seen, setSeen] = useState(stored)
  const [problem, setProblem] = useState<string>()
  if (seen !== stored) {
    setSeen(stored)
    setText(stored)
  }
  function commit(typed: string) {
    const entered = readEntered(isText ? { kind: 'text', maxLength: maxCharacters } : { kind: 'json' }, typed)
    const why = entered.status === 'refused' ? entered.problem : undefined
    setProblem(why)
    onRefused(why)
    if (typed !== stored && entered.status !== 'refused') onChange(entered.status === 'none' ? undefined : entered.value)
  }
  function start() {
    setText(toText(output).slice(0, maxCharacters))
    // It is saved when the focus leaves it, as all that is typed.
    document.getElementById('corrected-output')?.focus()
  }
  return (
    <div>
      <TextLabel htmlFor="corrected-output" keys="c" text="Correction">
        {text === '' && output !== null && output !== undefined && <TextButton onClick={start}>Use output</TextButton>}
      </TextLabel>
      <Textarea
        id="corrected-output"
        rows={3}
        maxLength={maxCharacters}
        value={text}
        placeholder={isText ? 'What would you have answered?' : undefined}
        aria-invalid={problem !== undefined}
        aria-describedby="corrected-output-hint"
        onChange={({ target }) => setText(target.value)}
        onBlur={({ target }) => commit(target.value)}
      />
      <p id="corrected-output-hint" className={cx('mt-1 text-xs', problem === undefined ? 'text-fg-3' : 'text-red-text')}>
        {problem ?? `${isText ? '' : 'JSON. '}Shift+Enter for a new line`}
      </p>
      <NotSaved {...state} />
    </div>
  )
}
