import { type Choice, readChoice } from './choices.ts'

interface Properties {
  id: string
  label: string
  choices: readonly Choice[]
  value: string
  onChange: (value: string) => void
  /** Offered as details. */
  known?: readonly string[]
}

/** One of some choices, and the detail of those that need one. */
export function ChoiceField({ id, label, choices, value, onChange, known = [] }: Properties) {
  const { choice, detail } = readChoice(choices, value)
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={choice.word} onChange={({ target }) => onChange(target.value)}>
        {choices.map(({ word, title }) => (
          <option key={word} value={word}>
            {title}
          </option>
        ))}
      </select>
      {choice.detail && (
        <>
          <label htmlFor={`${id}-detail`}>{choice.detail.label}</label>
          <input
            id={`${id}-detail`}
            list={`${id}-known`}
            placeholder={choice.detail.placeholder}
            value={detail}
            onChange={({ target }) => onChange(choice.word + target.value)}
          />
          <datalist id={`${id}-known`}>
            {known.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </>
  )
}
