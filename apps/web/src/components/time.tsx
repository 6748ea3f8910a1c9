import { relativeTime } from './relative-time.ts'

/** Made with the first time that is shown: it takes longer than all else that a page does before it asks for its data. */
let format: Intl.DateTimeFormat | undefined

function toText(date: Date): string {
  format ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(date)
}

/** A time as people of this place write it, with the exact one in its title. */
export function Time({ value }: { value: string }) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <span>{value}</span>
  return (
    <time dateTime={value} title={value}>
      {toText(date)}
    </time>
  )
}

/** How long ago a time was, with the exact one in its title. */
export function TimeAgo({ value }: { value: string }) {
  const time = Date.parse(value)
  if (Number.isNaN(time)) return <span>{value}</span>
  return (
    <time dateTime={value} title={value}>
      {relativeTime(time, Date.now())}
    </time>
  )
}
