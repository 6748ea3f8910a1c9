import { useId, useState } from 'react'
import { toCell, toText } from '../../components/to-text.ts'
import { type AnnotationField, type FieldInput, readEntered } from './annotation-field.ts'
import type { FieldState } from './annotation-saver.ts'

interface Properties {
  field: AnnotationField
  state: FieldState
  /** The field that keys act on. */
  isCurrent: boolean
  onCurrent: () => void
  onChange: (value: unknown) => void
  /** Called with the reason when a text that is typed is not a value of the field, and with undefined when it is one. */
  onRefused: (why: string | undefined) => void
}

export const statusTexts = { empty: '', saving: 'saving …', saved: 'saved', failed: 'not saved' } as const
const maxDigit = 9

/** One field with its value, and whether it is saved. */
export function FieldControl({ field, state, isCurrent, onCurrent, onChange, onRefused }: Properties) {
  const { title, description, input } = field
  return (
    <fieldset className={isCurrent ? 'current' : undefined} data-field={field.name} onFocus={onCurrent}>
      <legend>{title.slice(0, 200)}</legend>
      {description !== '' && <p className="muted">{description.slice(0, 1_000)}</p>}
      {input.kind === 'options' ? (
        <Options options={input.options} value={state.value} onChange={onChange} />
      ) : (
        <TextInput title={title} input={input} value={state.value} onChange={onChange} onRefused={onRefused} />
      )}
      <p role="status" className={state.status === 'failed' ? 'problem' : 'muted'}>
        {statusTexts[state.status]}
        {state.problem !== undefined && `: ${state.problem}`}
      </p>
    </fieldset>
  )
}

interface OptionsProperties {
  options: readonly unknown[]
  value: unknown
  onChange: (value: unknown) => void
}

function Options({ options, value, onChange }: OptionsProperties) {
  return (
    <div className="row">
      {options.map((option, at) => (
        <button key={JSON.stringify(option)} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {at < maxDigit && <kbd aria-hidden="true">{at + 1}</kbd>} {option === true ? 'yes' : option === false ? 'no' : toCell(option, 80)}
        </button>
      ))}
    </div>
  )
}

interface TextProperties {
  title: string
  input: Exclude<FieldInput, { kind: 'options' }>
  value: unknown
  onChange: (value: unknown) => void
  onRefused: (why: string | undefined) => void
}

function TextInput({ title, input, value, onChange, onRefused }: TextProperties) {
  const id = useId()
  const stored = value === undefined ? '' : toText(value)
  const [text, setText] = useState(stored)
  const [seen, setSeen] = useState(stored)
  const [problem, setProblem] = useState<string>()
  if (seen !== stored) {
    setSeen(stored)
    setText(stored)
  }

  function commit() {
    const entered = readEntered(input, text)
    const why = entered.status === 'refused' ? entered.problem : undefined
    setProblem(why)
    onRefused(why)
    if (text !== stored && entered.status !== 'refused') onChange(entered.status === 'none' ? undefined : entered.value)
  }

  return (
    <>
      <input
        id={id}
        aria-label={title.slice(0, 200)}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        inputMode={input.kind === 'number' ? 'decimal' : 'text'}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
      />
      <p id={`${id}-problem`} className={problem === undefined ? 'muted' : 'problem'}>
        {problem ?? rangeText(input)}
      </p>
    </>
  )
}

function rangeText(input: TextProperties['input']): string {
  if (input.kind === 'json') return 'JSON'
  if (input.kind === 'text') return input.maxLength === undefined ? '' : `at most ${input.maxLength} characters`
  const { minimum, maximum } = input
  return [minimum !== undefined && `at least ${minimum}`, maximum !== undefined && `at most ${maximum}`].filter(Boolean).join(', ')
}
