/** One metric family of an exposition. */
export interface Family {
  type: string
  help: string
  samples: ParsedSample[]
}

export interface ParsedSample {
  name: string
  labels: Record<string, string>
  value: number
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

/** Suffixes of the samples that a family of this type has. */
const suffixes: Record<string, readonly string[]> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

/**
 * Parses the text format of OpenMetrics 1.0 as strictly as its reference: each family once, described before its samples, these with the suffixes of its
 * type, each once, buckets that add up, and `# EOF` at the end.
 * @throws Error that names the line
 */
export function parseOpenMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n# EOF\n')) throw new Error('the exposition does not end with # EOF')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: [string, Family] | undefined
  for (const line of text.slice(0, -'# EOF\n'.length - 1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind !== undefined) {
      if (current?.[0] !== name) {
        if (families.has(name)) throw new Error(`family ${name} is not in one piece: ${line}`)
        current = [name, { type: '', help: '', samples: [] }]
        families.set(...current)
      }
      if (current[1].samples.length > 0) throw new Error(`described after its samples: ${line}`)
      current[1][kind === 'HELP' ? 'help' : 'type'] = rest
      continue
    }
    const sample = parseSample(line)
    const [family, { type, samples }] = current ?? fail(`a sample of no family: ${line}`)
    if (!(suffixes[type] ?? []).some((suffix) => sample.name === family + suffix))
      throw new Error(`no sample of ${type} ${family}: ${line}`)
    const identity = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).toSorted())}`
    if (seen.has(identity)) throw new Error(`twice: ${line}`)
    seen.add(identity)
    samples.push(sample)
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkBuckets(name, family)
  return families
}

function parseSample(line: string): ParsedSample {
  const [, name = fail(`not a sample: ${line}`), labelText = '', valueText = ''] = sampleLine.exec(line) ?? []
  const value = valueText === '+Inf' ? Infinity : Number(valueText)
  if (Number.isNaN(value)) throw new Error(`not a number: ${line}`)
  const labels: Record<string, string> = {}
  labelPattern.lastIndex = 0
  while (labelPattern.lastIndex < labelText.length) {
    const [, label = fail(`not a label: ${line}`), text = ''] = labelPattern.exec(labelText) ?? []
    if (label in labels) throw new Error(`label twice: ${line}`)
    labels[label] = text
  }
  return { name, labels, value }
}

/** Buckets of one series have rising bounds and values, and the last one, `+Inf`, has as many as its count. */
function checkBuckets(name: string, { samples }: Family): void {
  const seriesOf = ({ labels }: ParsedSample) => JSON.stringify({ ...labels, le: undefined })
  for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && seriesOf(sample) === seriesOf(count))
    const bounds = buckets.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)))
    const isRising = (numbers: readonly number[]) => numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!)
    if (!isRising(bounds) || bounds.at(-1) !== Infinity) throw new Error(`bounds of ${name}: ${bounds.join(' ')}`)
    if (!isRising(buckets.map(({ value }) => value))) throw new Error(`buckets of ${name} fall`)
    if (buckets.at(-1)?.value !== count.value) throw new Error(`count of ${name}`)
  }
}

function fail(message: string): never {
  throw new Error(message)
}
