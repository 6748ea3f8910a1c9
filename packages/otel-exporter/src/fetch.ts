import { fetchPlatform } from './platform/fetch-platform.ts'
import { PipelineExporter } from './pipeline/pipeline-exporter.ts'
import { createPipeline } from './pipeline/create-pipeline.ts'
import { PipelineProcessor } from './pipeline/pipeline-processor.ts'
import type { ExporterOptions } from './settings/exporter-options.ts'
import type { ProcessorOptions } from './settings/processor-options.ts'

/** The exporter for runtimes without the modules of Node. Variables of a worker are given as `environment`. */
class HeddleSpanExporter extends PipelineExporter {
  constructor(options: ExporterOptions = {}) {
    super(createPipeline(options, fetchPlatform)?.pipeline)
  }
}

/** The processor for runtimes without the modules of Node. Pass the platform's `waitUntil`, or await `forceFlush` before responding. */
class HeddleSpanProcessor extends PipelineProcessor {
  constructor(options: ProcessorOptions = {}) {
    super(options, fetchPlatform)
  }
}

export { HeddleSpanExporter, HeddleSpanProcessor }
export { withGroupBaggage, withSpanGroup, withThread, withoutContent } from './processing/trace-context.ts'
export type { ExporterOptions, ProcessorOptions }
