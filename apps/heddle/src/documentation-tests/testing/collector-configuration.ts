import { tracing } from '@heddle/core-api'
import { parse } from 'yaml'
import { z } from 'zod'

const Component = z.record(z.string(), z.unknown())
const Exporter = z.object({
  endpoint: z.url(),
  headers: z.strictObject({ 'wandb-api-key': z.literal('${env:HEDDLE_API_KEY}'), 'project-id': z.string().regex(/^[\w.-]+\/[\w.-]+$/) }),
})
const Collector = z.strictObject({
  receivers: Component,
  processors: Component,
  exporters: z.record(z.string(), Exporter),
  service: z.strictObject({
    pipelines: z.record(
      z.enum(['traces', 'logs']),
      z.strictObject({ receivers: z.array(z.string()), processors: z.array(z.string()), exporters: z.array(z.string()) }),
    ),
  }),
})

/**
 * Checks a configuration of the Collector: pipelines join what it defines, and its exporters append the path of a signal to a base address of the server.
 * @throws Error that names what is wrong
 */
export function checkCollectorConfiguration(text: string): void {
  const { service, exporters, ...others } = Collector.parse(parse(text))
  const parts = { ...others, exporters }
  const paths: string[] = [tracing.otel.exportTrace.path, tracing.otel.exportLogs.path]
  for (const [signal, pipeline] of Object.entries(service.pipelines)) {
    for (const kind of ['receivers', 'processors', 'exporters'] as const)
      for (const name of pipeline[kind])
        if (!Object.hasOwn(parts[kind], name)) throw new Error(`${signal} has ${name}, which is not defined`)
    for (const name of pipeline.exporters) {
      const path = `${new URL(exporters[name]?.endpoint ?? '').pathname}/v1/${signal}`
      if (!paths.includes(path)) throw new Error(`the server has no ${path}, to which ${name} sends`)
    }
  }
}
