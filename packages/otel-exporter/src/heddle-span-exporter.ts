import { createPipeline } from './pipeline/create-pipeline.ts'
import { nodePlatform } from './platform/node-platform.ts'
import { PipelineExporter } from './pipeline/pipeline-exporter.ts'
import type { ExporterOptions } from './settings/exporter-options.ts'

/** Sends spans to Heddle, behind any span processor: `new BatchSpanProcessor(new HeddleSpanExporter())`. Never throws. */
export class HeddleSpanExporter extends PipelineExporter {
  constructor(options: ExporterOptions = {}) {
    super(createPipeline(options, nodePlatform)?.pipeline)
  }
}
