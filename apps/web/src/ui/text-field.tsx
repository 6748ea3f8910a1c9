import type { ComponentProps } from 'react'
import { Field, Input } from './field.tsx'

type FieldProperties = Omit<ComponentProps<typeof Field>, 'children'>

interface Properties extends FieldProperties, Omit<ComponentProps<typeof Input>, keyof FieldProperties | 'id' | 'onChange'> {
  value: string | number
  onChange: (text: string) => void
}

/** A field of a form for one line of text. */
export const TextField = ({ label, help, error, optional, className, onChange, ...input }: Properties) => (
  <Field label={label} help={help} error={error} optional={optional} className={className}>
    {(ids) => <Input {...ids} {...input} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)
