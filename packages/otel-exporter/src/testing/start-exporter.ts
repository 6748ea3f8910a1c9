import { createPipeline } from '../create-pipeline.ts'
import { nodePlatform } from '../node-platform.ts'
import { PipelineExporter } from '../pipeline-exporter.ts'
import type { Clock } from '../sending/clock.ts'
import type { ExportPipeline } from '../sending/export-pipeline.ts'
import type { ExporterOptions } from '../settings/exporter-options.ts'
import { createFastClock } from './fast-clock.ts'

/** An exporter for a server on loopback, with nothing from the environment and short waits. */
export function startExporter(
  options: ExporterOptions,
  clock: Clock = createFastClock(),
): { pipeline: ExportPipeline; exporter: PipelineExporter } {
  const configured = createPipeline({ environment: {}, apiKey: 'key-canary-4321', timeoutMs: 2000, ...options }, { ...nodePlatform, clock })
  if (configured === undefined) throw new Error('the exporter is switched off')
  return { pipeline: configured.pipeline, exporter: new PipelineExporter(configured.pipeline) }
}
