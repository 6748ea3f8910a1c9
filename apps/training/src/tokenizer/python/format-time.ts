const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const msPerDay = 86_400_000

type Directive = (time: Date) => string

const padded = (value: number, width = 2, fill = '0') => String(value).padStart(width, fill)
const hour = (time: Date) => time.getHours() % 12 || 12
const dayOfYear = (time: Date) =>
  Math.round((Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) - Date.UTC(time.getFullYear(), 0, 1)) / msPerDay) + 1
/** Full weeks since the first such day of the year. */
const weekFrom = (time: Date, firstDay: number) => Math.floor((dayOfYear(time) + 6 - ((time.getDay() - firstDay + 7) % 7)) / 7)
const join =
  (format: string): Directive =>
  (time) =>
    formatTime(time, format)

const directives: Readonly<Record<string, Directive>> = {
  a: (time) => weekdays[time.getDay()]!.slice(0, 3),
  A: (time) => weekdays[time.getDay()]!,
  b: (time) => months[time.getMonth()]!.slice(0, 3),
  B: (time) => months[time.getMonth()]!,
  c: join('%a %b %e %H:%M:%S %Y'),
  C: (time) => padded(Math.floor(time.getFullYear() / 100)),
  d: (time) => padded(time.getDate()),
  D: join('%m/%d/%y'),
  e: (time) => padded(time.getDate(), 2, ' '),
  f: (time) => padded(time.getMilliseconds() * 1_000, 6),
  F: join('%Y-%m-%d'),
  h: (time) => months[time.getMonth()]!.slice(0, 3),
  H: (time) => padded(time.getHours()),
  I: (time) => padded(hour(time)),
  j: (time) => padded(dayOfYear(time), 3),
  k: (time) => padded(time.getHours(), 2, ' '),
  l: (time) => padded(hour(time), 2, ' '),
  m: (time) => padded(time.getMonth() + 1),
  M: (time) => padded(time.getMinutes()),
  n: () => '\n',
  p: (time) => (time.getHours() < 12 ? 'AM' : 'PM'),
  r: join('%I:%M:%S %p'),
  R: join('%H:%M'),
  S: (time) => padded(time.getSeconds()),
  t: () => '\t',
  T: join('%H:%M:%S'),
  u: (time) => String(time.getDay() || 7),
  U: (time) => padded(weekFrom(time, 0)),
  w: (time) => String(time.getDay()),
  W: (time) => padded(weekFrom(time, 1)),
  x: join('%m/%d/%y'),
  X: join('%H:%M:%S'),
  y: (time) => padded(time.getFullYear() % 100),
  Y: (time) => String(time.getFullYear()),
  z: () => '',
  Z: () => '',
  '%': () => '%',
}

/** Python's `strftime` in English, for a local time without a zone. `%-d` has no padding; unknown directives are kept. */
export function formatTime(time: Date, format: string): string {
  return format.replaceAll(/%(-?)([a-zA-Z%])/g, (whole, flag: string, letter: string) => {
    const written = directives[letter]?.(time)
    if (written === undefined) return whole
    return flag === '-' ? written.replace(/^[0 ]+(?=.)/, '') : written
  })
}
