import { useId, useState } from 'react'
import { jsonText, toCell, toText } from '../../lib/texts/to-text.ts'
import { cx } from '../../lib/cx.ts'
import { Input } from '../../ui/field.tsx'
import { Radios } from '../../ui/radios.tsx'
import { type AnnotationField, type FieldInput, optionsOf, readEntered } from './annotation-field.ts'
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

const maxDigit = 9

/** One question with its answer. */
export function FieldControl({ field, state, isCurrent, onCurrent, onChange, onRefused }: Properties) {
  const { title, description, input } = field
  return (
    <fieldset
      data-field={field.name}
      className={cx('-mx-3 min-w-0 rounded-lg border p-3', isCurrent ? 'border-accent-line bg-accent-soft' : 'border-transparent')}
      onFocus={onCurrent}
    >
      <legend className="float-left mb-2 w-full font-medium [overflow-wrap:anywhere]">{title.slice(0, 200)}</legend>
      <div className="clear-both">
        {description !== '' && <p className="-mt-1 mb-2 text-xs text-fg-2 [overflow-wrap:anywhere]">{description.slice(0, 1_000)}</p>}
        {input.kind === 'options' || input.kind === 'scale' ? (
          <Options input={input} value={state.value} onChange={onChange} />
        ) : (
          <TextInput title={title} input={input} value={state.value} onChange={onChange} onRefused={onRefused} />
        )}
        <NotSaved {...state} />
      </div>
    </fieldset>
  )
}

/** Why an answer is not saved. Success is shown once, in the header of the page. */
export function NotSaved({ status, problem }: Pick<FieldState, 'status' | 'problem'>) {
  return (
    <p role="status" className="mt-1 text-xs text-red-text empty:mt-0 [overflow-wrap:anywhere]">
      {status === 'failed' && `Not saved${problem === undefined ? '' : `: ${problem}`}`}
    </p>
  )
}

interface OptionsProperties {
  input: Extract<FieldInput, { kind: 'options' | 'scale' }>
  value: unknown
  onChange: (value: unknown) => void
}

function Options({ input, value, onChange }: OptionsProperties) {
  const options = optionsOf(input)
  return (
    <Radios
      isScale={input.kind === 'scale'}
      choices={options.map((option, at) => ({
        value: jsonText(option),
        label: option === true ? 'Yes' : option === false ? 'No' : toCell(option, 80),
        keys: at < maxDigit ? String(at + 1) : undefined,
      }))}
      value={value === undefined ? undefined : jsonText(value)}
      onChange={(chosen) => onChange(options.find((option) => jsonText(option) === chosen))}
    />
  )
}

interface TextProperties {
  title: string
  input: Exclude<FieldInput, OptionsProperties['input']>
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
      <Input
        id={id}
        className="h-9 bg-sheet"
        aria-label={title.slice(0, 200)}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        inputMode={input.kind === 'number' ? 'decimal' : 'text'}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
      />
      <p id={`${id}-problem`} className={cx('mt-1 text-xs empty:hidden', problem === undefined ? 'text-fg-2' : 'text-red-text')}>
        {problem ?? rangeText(input)}
      </p>
    </>
  )
}

function rangeText(input: TextProperties['input']): string {
  if (input.kind === 'json') return 'JSON'
  if (input.kind === 'text') return input.maxLength === undefined ? '' : `At most ${input.maxLength.toLocaleString('en')} characters`
  const { minimum, maximum } = input
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return minimum !== undefined ? `At least ${minimum}` : maximum !== undefined ? `At most ${maximum}` : ''
}
