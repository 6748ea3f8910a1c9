import { useId } from 'react'
import { cx } from '../lib/cx.ts'
import { KeyHint } from './key-hint.tsx'

export interface RadioChoice {
  /** Unlike that of every other choice. */
  value: string
  label: string
  /** The key of the page that selects it, next to its label. */
  keys?: string | undefined
}

interface Properties {
  choices: readonly RadioChoice[]
  /** Undefined while none is chosen. */
  value: string | undefined
  onChange: (value: string) => void
  /** Steps of a scale, whose labels are short. */
  isScale?: boolean
}

/** A choice among a few options. Its container, such as a `fieldset`, names the question. */
export function Radios({ choices, value, onChange, isScale = false }: Properties) {
  const name = useId()
  const Choice = isScale ? Step : Line
  return (
    <div className={isScale ? 'grid auto-cols-fr grid-flow-col gap-1.5' : 'flex flex-col gap-1.5'}>
      {choices.map((choice) => (
        <Choice key={choice.value} name={name} choice={choice} isChosen={choice.value === value} onChoose={() => onChange(choice.value)} />
      ))}
    </div>
  )
}

interface ChoiceProperties {
  name: string
  choice: RadioChoice
  isChosen: boolean
  onChoose: () => void
}

const look =
  'relative flex min-h-9 items-center rounded-md border has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent'

function Line({ name, choice: { label, keys }, isChosen, onChoose }: ChoiceProperties) {
  return (
    <label className={cx(look, 'gap-2.5 bg-sheet px-3 py-1.5', isChosen ? 'border-accent font-medium' : 'border-line-2 pressable')}>
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="size-4 shrink-0 appearance-none rounded-full border border-control bg-sheet outline-none checked:border-[5px] checked:border-accent"
      />
      <span className="min-w-0 grow [overflow-wrap:anywhere]">{label}</span>
      {keys !== undefined && <KeyHint keys={keys} />}
    </label>
  )
}

function Step({ name, choice: { label }, isChosen, onChoose }: ChoiceProperties) {
  return (
    <label
      className={cx(
        look,
        'num justify-center',
        isChosen ? 'border-accent bg-accent-soft font-semibold text-accent-text' : 'border-line-2 bg-sheet pressable',
      )}
    >
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} className="absolute inset-0 m-0 opacity-0" />
      {label}
    </label>
  )
}
