import { createPipeline } from './create-pipeline.ts'
import { nodePlatform } from './node-platform.ts'
import { PipelineExporter } from './pipeline-exporter.ts'
import type { ExporterOptions } from './settings/exporter-options.ts'

/** Sends spans to Heddle, behind any span processor: `new BatchSpanProcessor(new HeddleSpanExporter())`. Never throws. */
export class HeddleSpanExporter extends PipelineExporter {
  constructor(options: ExporterOptions = {}) {
    super(createPipeline(options, nodePlatform)?.pipeline)
  }
}
