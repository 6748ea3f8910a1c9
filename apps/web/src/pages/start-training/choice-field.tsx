import { type ReactNode, useId } from 'react'
import { Field, Input } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { type Choice, readChoice } from './choices.ts'

interface Properties {
  label: string
  choices: readonly Choice[]
  value: string
  onChange: (value: string) => void
  /** Offered as details. */
  known?: readonly string[]
  /** Below the choice. */
  help?: ReactNode
}

/** One of some choices, and the detail of choices that need one. */
export function ChoiceField({ label, choices, value, onChange, known = [], help }: Properties) {
  const list = useId()
  const { choice, detail } = readChoice(choices, value)
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <div>
        <Select
          label={label}
          size="md"
          className="w-full"
          value={choice.word}
          onChange={onChange}
          choices={choices.map(({ word, title }) => ({ value: word, label: title }))}
        />
        {help && <p className="mt-1 text-xs text-fg-3">{help}</p>}
      </div>
      {choice.detail && (
        <Field label={choice.detail.label}>
          {(ids) => (
            <>
              <Input
                {...ids}
                list={list}
                placeholder={choice.detail?.placeholder}
                value={detail}
                onChange={({ target }) => onChange(choice.word + target.value)}
              />
              <datalist id={list}>
                {known.map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      )}
    </div>
  )
}
