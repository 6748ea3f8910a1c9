import { useState } from 'react'
import { toText } from '../../components/to-text.ts'
import { readEntered } from './annotation-field.ts'
import type { FieldState } from './annotation-saver.ts'
import { statusTexts } from './field-control.tsx'

interface Properties {
  /** Output of the call. Where it is not text, the corrected one is written as JSON. */
  output: unknown
  state: FieldState
  onChange: (value: unknown) => void
  /** Called with the reason when what is typed is not an output, and with undefined when it is one. */
  onRefused: (why: string | undefined) => void
}

const maxCharacters = 100_000

/** What the call should have answered. */
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
  const { status } = state
  return (
    <div>
      <label htmlFor="corrected-output">Corrected output</label>
      <textarea
        id="corrected-output"
        rows={3}
        maxLength={maxCharacters}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby="corrected-output-hint"
        onChange={({ target }) => setText(target.value)}
        onBlur={({ target }) => commit(target.value)}
      />
      <p id="corrected-output-hint" className={problem === undefined ? 'muted' : 'problem'}>
        {problem ?? `What the call should have answered${isText ? '' : ', as JSON'}. Shift+Enter begins a new line.`}
      </p>
      {text === '' && output !== null && output !== undefined && (
        <button type="button" onClick={start}>
          Start from the output
        </button>
      )}
      <p role="status" className={status === 'failed' ? 'problem' : 'muted'}>
        {statusTexts[status]}
        {state.problem !== undefined && `: ${state.problem}`}
      </p>
    </div>
  )
}
