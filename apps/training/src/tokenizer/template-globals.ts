import { boundedRange } from './bounded-interpreter.ts'
import { ChatTemplateError } from './tokenizer-error.ts'

/** What chat templates find beside their variables, as the Transformers library defines it. */
export function templateGlobals(now: () => Date): Record<string, unknown> {
  return {
    true: true,
    True: true,
    false: false,
    False: false,
    none: null,
    None: null,
    range: boundedRange,
    raise_exception: (message: unknown) => {
      throw new ChatTemplateError(`the chat template refuses these messages: ${String(message)}`)
    },
    strftime_now: (format: unknown) => formatTime(now(), String(format)),
  }
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** The directives of Python's `strftime` that templates use, in local time. */
function formatTime(time: Date, format: string): string {
  const padded = (value: number) => String(value).padStart(2, '0')
  const month = months[time.getMonth()]!
  const directives: Record<string, string> = {
    '%Y': String(time.getFullYear()),
    '%m': padded(time.getMonth() + 1),
    '%d': padded(time.getDate()),
    '%b': month.slice(0, 3),
    '%B': month,
    '%H': padded(time.getHours()),
    '%M': padded(time.getMinutes()),
    '%S': padded(time.getSeconds()),
    '%%': '%',
  }
  return format.replaceAll(/%[a-zA-Z%]/g, (directive) => directives[directive] ?? directive)
}
