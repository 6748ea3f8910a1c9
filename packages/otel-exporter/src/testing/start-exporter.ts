import { createPipeline, type Platform } from '../pipeline/create-pipeline.ts'
import { nodePlatform } from '../platform/node-platform.ts'
import { PipelineExporter } from '../pipeline/pipeline-exporter.ts'
import type { Clock } from '../clock.ts'
import type { ExportPipeline } from '../sending/export-pipeline.ts'
import type { Transport } from '../transport/transport.ts'
import type { ExporterOptions } from '../settings/exporter-options.ts'
import { createFastClock } from './fast-clock.ts'

/** An exporter for a server on loopback, with nothing from the environment and short waits. `watch` may stand between it and the network. */
export function startExporter(
  options: ExporterOptions,
  clock: Clock = createFastClock(),
  watch: (transport: Transport) => Transport = (transport) => transport,
): { pipeline: ExportPipeline; exporter: PipelineExporter } {
  const platform: Platform = {
    ...nodePlatform,
    clock,
    createTransport: (settings, warn) => watch(nodePlatform.createTransport(settings, warn)),
  }
  const configured = createPipeline({ environment: {}, apiKey: 'key-canary-4321', timeoutMs: 2000, ...options }, platform)
  if (configured === undefined) throw new Error('the exporter is switched off')
  return { pipeline: configured.pipeline, exporter: new PipelineExporter(configured.pipeline) }
}
