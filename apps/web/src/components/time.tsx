import { relativeTime } from './relative-time.ts'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time as people of this place write it, with the exact one in its title. */
export function Time({ value }: { value: string }) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <span>{value}</span>
  return (
    <time dateTime={value} title={value}>
      {format.format(date)}
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
