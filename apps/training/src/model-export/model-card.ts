import type { ExportFormat } from './export-format.ts'

/** What a model card says of where weights come from. */
export interface ExportedModel {
  /** entity/project/name */
  name: string
  baseModel: string
  step: number
  metrics: Readonly<Record<string, number>>
  /** The job that made the step; null for weights that were imported, and for the base model as it is. */
  job: { id: string; kind: string; config: unknown } | null
}

/** `README.md` in the form of the Hugging Face hub. */
export function toModelCard(model: ExportedModel, { format, numbers }: { format: ExportFormat; numbers: string }): string {
  const { name, baseModel, step, metrics, job } = model
  const library = { safetensors: 'transformers', peft: 'peft', gguf: 'gguf' }[format]
  const facts = [
    ['Base model', baseModel],
    ['Step', String(step)],
    ...(job ? [['Training job', `${job.id} (${job.kind})`]] : []),
    ['Format', `${format}, ${numbers}`],
  ]
  return [
    '---',
    `base_model: ${JSON.stringify(baseModel)}`,
    `library_name: ${library}`,
    'pipeline_tag: text-generation',
    'tags: [heddle]',
    '---',
    '',
    `# ${name}`,
    '',
    `Exported by Heddle. The license of the base model applies.`,
    '',
    ...tableOf('Fact', facts),
    ...(Object.keys(metrics).length === 0
      ? []
      : [
          '## Metrics',
          '',
          ...tableOf(
            'Metric',
            Object.entries(metrics).map(([key, value]) => [key, String(value)]),
          ),
        ]),
    ...(job ? ['## Training configuration', '', '```json', JSON.stringify(job.config, null, 2), '```', ''] : []),
  ].join('\n')
}

function tableOf(head: string, rows: readonly (readonly string[])[]): string[] {
  const cell = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')
  return [`| ${head} | Value |`, '| --- | --- |', ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`), '']
}
