import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { shortAgo } from '../../lib/time/relative-time.ts'
import { dayText, exactTimeText, timeText } from '../../lib/time/time-text.ts'

/** A time in the chosen time zone and the user's locale, with the exact time there and in UTC in its title. `text`: other words. */
export function Time({ value, text, hasSeconds = false }: { value: string; text?: string; hasSeconds?: boolean }) {
  const timeZone = useTimeZone()
  if (Number.isNaN(Date.parse(value))) return <span>{value}</span>
  return (
    <time dateTime={value} data-tip={titleOf(value, timeZone)}>
      {text ?? timeText(value, timeZone, { hasSeconds })}
    </time>
  )
}

const titleOf = (value: string, timeZone: string) => `${exactTimeText(value, timeZone)} (${value})`

/** How long ago a time was, in few letters; its date where that was over a week ago. Its title has the exact time in the chosen time zone and in UTC. */
export function TimeInColumn({ value }: { value: string }) {
  const timeZone = useTimeZone()
  const time = Date.parse(value)
  if (Number.isNaN(time)) return <span>{value}</span>
  return (
    <time dateTime={value} data-tip={titleOf(value, timeZone)} data-place="top">
      {shortAgo(time, Date.now()) ?? dayText(value, timeZone)}
    </time>
  )
}
