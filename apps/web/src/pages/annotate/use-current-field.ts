import { useState } from 'react'
import { type AnnotationField, optionOfDigit } from './annotation-field.ts'
import { focusField } from './field-focus.ts'

/** The field that keys act on. */
export function useCurrentField(fields: readonly AnnotationField[], onChange: (field: string, value: unknown) => void) {
  const [current, setCurrent] = useState(0)
  return {
    current,
    setCurrent,
    /** Goes to the field before or after it, if there is one. */
    move(step: 1 | -1) {
      const next = Math.min(fields.length - 1, Math.max(0, current + step))
      setCurrent(next)
      focusField(fields[next]?.name)
    },
    /** A digit chooses an option; in a field of text it begins the text. */
    chooseOption(at: number) {
      const field = fields[current]
      if (field?.input.kind === 'options' || field?.input.kind === 'scale') {
        const option = optionOfDigit(field.input, at + 1)
        if (option !== undefined) onChange(field.name, option)
      } else focusField(field?.name)
    },
  }
}
