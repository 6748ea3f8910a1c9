import { isJsonNumber } from '@heddle/json/exact'
import { toText } from '../../lib/texts/to-text.ts'
import { JsonView } from '../../ui/json-view.tsx'
import { FormattedText } from '../markdown/formatted-text.tsx'

/** An object with more members is shown as a tree. */
const maxMembers = 12

interface Properties {
  value: unknown
  /** Name of the value for who does not see it. */
  label: string
}

/** A value as a person reads it: a text as prose, a small object as its members under their names, all else as a tree. */
export function ReadableValue({ value, label }: Properties) {
  if (value === undefined || value === null) return <p className="text-fg-3">–</p>
  if (typeof value === 'string') return <FormattedText text={value} label={label} look="prose" />
  if (isPlain(value)) return <p className="num">{toText(value)}</p>
  const members = membersOf(value)
  if (members === undefined) return <JsonView value={value} label={label} />
  return (
    <dl className="flex flex-col gap-3">
      {members.map(([name, member]) => (
        <div key={name}>
          <dt className="mono mb-1 text-xs text-fg-3">{name}</dt>
          <dd>
            {typeof member === 'object' && member !== null && !isJsonNumber(member) ? (
              <JsonView value={member} label={`${label}.${name}`} />
            ) : (
              <ReadableValue value={member} label={`${label}.${name}`} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || isJsonNumber(value)

/** The members of an object that has few. Undefined for all else. */
function membersOf(value: unknown): [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = Object.entries(value)
  return members.length === 0 || members.length > maxMembers ? undefined : members
}
