import { capitalize } from '../python/case.ts'
import { wordBeginnings } from '../python/characters.ts'
import { formatPercent } from '../python/formats.ts'
import { prettyPrint } from '../python/pretty-print.ts'
import { joinTexts, lengthOf, pad, replace, splitFromEnd, splitLines, strip } from '../python/strings.ts'
import { textOf } from '../python/text-of.ts'
import { wrapText } from '../python/text-wrap.ts'
import { assertLength } from '../template-limits.ts'
import { type NamedArguments, wholeNumber } from './filter-arguments.ts'
import type { Filter } from './filter.ts'
import { escapeHtml } from './escape-html.ts'
import { stripTags } from './strip-tags.ts'
import { toJson } from './to-json.ts'
import { relOf, urlize } from './urlize.ts'
import {
  Dict,
  elementsOf,
  isList,
  isTrue,
  iterate,
  lengthOfValue,
  Markup,
  orElse,
  plain,
  Tuple,
  typeName,
  type Value,
} from '../python/values.ts'

/** A filter that takes every value as the text that it is written as. */
function ofText(parameters: readonly string[], apply: (text: string, args: NamedArguments) => Value): Filter {
  return { parameters, apply: (value, args) => apply(textOf(value), args) }
}

/** A filter that takes no other value than a text. */
function ofTextAlone(parameters: readonly string[], apply: (text: string, args: NamedArguments) => string): Filter {
  return {
    parameters,
    apply: (value, args) => {
      if (value instanceof Markup) return new Markup(apply(value.html, args))
      if (typeof value !== 'string') throw new TypeError(`a text is needed, not '${typeName(value)}'`)
      return apply(value, args)
    },
  }
}

/** Jinja's filters of texts. */
export const textFilters: Readonly<Record<string, Filter>> = {
  capitalize: ofText([], capitalize),
  center: ofText(['width'], (text, { width }) => pad(text, wholeNumber(width, 80), ' ', 'center')),
  e: { parameters: [], apply: escape },
  escape: { parameters: [], apply: escape },
  forceescape: ofText([], (text) => new Markup(escapeHtml(text))),
  format: { parameters: null, apply: (value, _args, { given }) => formatPercent(textOf(value), toFormatted(given)) },
  indent: ofTextAlone(['width', 'first', 'blank'], indent),
  lower: ofText([], (text) => text.toLowerCase()),
  pprint: { parameters: [], apply: prettyPrint },
  replace: ofText(['old', 'new', 'count'], (text, { old, new: by, count }) =>
    replace(text, needed(old, 'replace'), needed(by, 'replace'), count === null ? -1 : wholeNumber(count, -1)),
  ),
  safe: ofText([], (text) => new Markup(text)),
  string: ofText([], (text) => text),
  striptags: ofText([], stripTags),
  title: ofText([], titleWords),
  tojson: { parameters: ['ensure_ascii', 'indent', 'separators', 'sort_keys'], apply: (value, args) => writeJson(value, args) },
  trim: ofText(['chars'], (text, { chars }) => strip(text, typeof chars === 'string' ? chars : null, 'both')),
  truncate: { parameters: ['length', 'killwords', 'end', 'leeway'], apply: truncate },
  upper: ofText([], (text) => text.toUpperCase()),
  urlencode: { parameters: [], apply: (value) => urlEncode(value) },
  urlize: { parameters: ['trim_url_limit', 'nofollow', 'target', 'rel', 'extra_schemes'], apply: linkAddresses },
  wordcount: ofText([], (text) => BigInt((text.match(/[\p{L}\p{N}_]+/gu) ?? []).length)),
  wordwrap: { parameters: ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'], apply: wrapWords },
}

function escape(value: Value): Value {
  return value instanceof Markup ? value : new Markup(escapeHtml(textOf(value)))
}

function needed(value: Value | undefined, filter: string): string {
  if (value === undefined) throw new TypeError(`${filter} needs two texts`)
  return textOf(value)
}

function toFormatted({ placed, named }: Parameters<Filter['apply']>[2]['given']): Value {
  return named.size > 0 ? new Dict(named) : new Tuple(placed)
}

/** Jinja's filter is not `str.title`: words begin behind white space, hyphens and opening brackets alone. */
function titleWords(text: string): string {
  return text
    .split(wordBeginnings)
    .map((part) => {
      const [first = '', ...rest] = Array.from(part)
      return first.toUpperCase() + rest.join('').toLowerCase()
    })
    .join('')
}

function indent(text: string, args: NamedArguments): string {
  const { width = 4n } = args
  const indentation = typeof width === 'string' ? width : pad('', wholeNumber(width, 4), ' ', 'left')
  const [isFirst, isBlank] = [isTrue(orElse(args['first'], false)), isTrue(orElse(args['blank'], false))]
  const [first = '', ...rest] = splitLines(`${text}\n`, false)
  assertLength(text.length + indentation.length * (rest.length + 1))
  const indented = [first, ...rest.map((line) => (line === '' && !isBlank ? line : indentation + line))].join('\n')
  return isFirst ? indentation + indented : indented
}

const usualLeeway = 5

function truncate(value: Value, args: NamedArguments): Value {
  const [length, leeway] = [
    wholeNumber(args['length'], 255),
    wholeNumber(args['leeway'] === null ? undefined : args['leeway'], usualLeeway),
  ]
  const end = args['end'] === undefined ? '...' : textOf(args['end'])
  if (length < lengthOf(end)) throw new TypeError(`expected length >= ${lengthOf(end)}, got ${length}`)
  if (leeway < 0) throw new TypeError(`expected leeway >= 0, got ${leeway}`)
  const count = lengthOfValue(value)
  if (count !== null && count <= length + leeway) return value
  const text = plain(value)
  if (typeof text !== 'string') throw new TypeError(`a text is needed, not '${typeName(value)}'`)
  const characters = Array.from(text)
  const cut = characters.slice(0, length - lengthOf(end)).join('')
  return (isTrue(orElse(args['killwords'], false)) ? cut : splitFromEnd(cut, ' ', 1)[0]!) + end
}

function wrapWords(value: Value, args: NamedArguments): string {
  const text = plain(value)
  if (typeof text !== 'string') throw new TypeError(`a text is needed, not '${typeName(value)}'`)
  const between = orElse(args['wrapstring'], null) === null ? '\n' : textOf(args['wrapstring']!)
  const lines = wrapText(text, {
    width: wholeNumber(args['width'], 79),
    breaksLongWords: isTrue(orElse(args['break_long_words'], true)),
    // Of any other true value, Python only breaks long words there.
    splitsAtHyphens: orElse(args['break_on_hyphens'], true) === true,
    breaksAtHyphens: isTrue(orElse(args['break_on_hyphens'], true)),
  })
  return joinTexts(
    lines.map((line) => joinTexts(line, between)),
    between,
  )
}

const schemeForm = /^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u

function linkAddresses(value: Value, args: NamedArguments): string {
  const given = (name: string) => orElse(args[name], null)
  const schemes = given('extra_schemes') === null ? [] : Array.from(iterate(given('extra_schemes')), textOf)
  for (const scheme of schemes) if (!schemeForm.test(scheme)) throw new TypeError(`${scheme} is not a valid URI scheme prefix.`)
  const rel = given('rel')
  const linked = urlize(value instanceof Markup ? value.html : escapeHtml(textOf(value)), {
    shown: given('trim_url_limit') === null ? null : wholeNumber(args['trim_url_limit'], 0),
    rel: relOf(rel === null ? '' : textOf(rel), isTrue(given('nofollow'))),
    target: given('target') === null ? '' : textOf(given('target')),
    schemes,
  })
  assertLength(linked.length)
  return linked
}

function urlEncode(value: Value): string {
  const text = plain(value)
  if (typeof text === 'string') return quoteUrl(text, '/')
  const elements = elementsOf(value)
  if (elements === null) return quoteUrl(textOf(value), '/')
  const pairs = value instanceof Dict ? Array.from(value.entries()) : Array.from(elements, pairOf)
  return pairs.map(([key, each]) => `${quoteUrl(textOf(key), '')}=${quoteUrl(textOf(each), '')}`.replaceAll('%20', '+')).join('&')
}

function pairOf(value: Value): readonly [Value, Value] {
  const items = Array.from(elementsOf(value) ?? [])
  if (items.length !== 2) throw new TypeError('urlencode needs pairs')
  return items as [Value, Value]
}

function quoteUrl(text: string, safe: string): string {
  const quoted = encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return safe === '/' ? quoted.replaceAll('%2F', '/') : quoted
}

/** As the Transformers library declares it: `json.dumps`, with other characters than ASCII as they are. */
function writeJson(value: Value, { ensure_ascii, indent: given = null, separators = null, sort_keys }: NamedArguments): string {
  const between = separators instanceof Tuple ? separators.items : separators !== null && isList(separators) ? separators : null
  const [item, key] = between ?? [given === null ? ', ' : ',', ': ']
  return toJson(value, {
    isAscii: isTrue(orElse(ensure_ascii, false)),
    indent: given === null ? null : typeof given === 'string' ? given : ' '.repeat(Math.min(100, Math.max(0, wholeNumber(given, 0)))),
    separators: [textOf(item!), textOf(key!)],
    isSorted: isTrue(orElse(sort_keys, false)),
  })
}
