import type { TemplateValue } from '../jinja.ts'

/** What Python's `str` makes of a value of a template. */
export function textOf(value: TemplateValue): string {
  switch (value.type) {
    case 'StringValue':
      return value.value as string
    case 'UndefinedValue':
      return ''
    default:
      return reprOf(value)
  }
}

/** What Python's `repr` makes of it. */
function reprOf(value: TemplateValue): string {
  switch (value.type) {
    case 'StringValue':
      return quote(value.value as string)
    case 'NullValue':
      return 'None'
    case 'UndefinedValue':
      return 'Undefined'
    case 'BooleanValue':
      return value.value === true ? 'True' : 'False'
    case 'FloatValue':
      return floatText(value.value as number)
    case 'ArrayValue':
      return `[${(value.value as TemplateValue[]).map(reprOf).join(', ')}]`
    case 'TupleValue': {
      const items = (value.value as TemplateValue[]).map(reprOf)
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
    }
    case 'ObjectValue':
      return `{${[...(value.value as Map<string, TemplateValue>)].map(([key, each]) => `${quote(key)}: ${reprOf(each)}`).join(', ')}}`
    default:
      return String(value)
  }
}

/** The shortest digits that read back the same, with an exponent from 1e16 on and below 1e-4. */
function floatText(number: number): string {
  if (Number.isNaN(number)) return 'nan'
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  if (Object.is(number, -0)) return '-0.0'
  const size = Math.abs(number)
  if (size === 0 || (size >= 1e-4 && size < 1e16)) {
    const text = size < 1e-6 || size >= 1e21 ? number.toFixed() : String(number)
    return /[.]/.test(text) ? text : `${text}.0`
  }
  const [digits, exponent] = number.toExponential().split('e')
  return `${digits}e${exponent!.replace(/^([+-])(\d)$/, '$10$2')}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = Array.from(text, (character) => {
    if (character === mark) return `\\${mark}`
    const known = escapes[character]
    if (known !== undefined) return known
    return character !== ' ' && /[\p{C}\p{Z}]/u.test(character) ? escapeOf(character.codePointAt(0)!) : character
  })
  return mark + escaped.join('') + mark
}

function escapeOf(code: number): string {
  const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8]
  return `\\${letter}${code.toString(16).padStart(digits as number, '0')}`
}
