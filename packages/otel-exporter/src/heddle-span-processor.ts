import { nodePlatform } from './platform/node-platform.ts'
import { PipelineProcessor } from './pipeline/pipeline-processor.ts'
import type { ProcessorOptions } from './settings/processor-options.ts'

/**
 * Sends spans to Heddle, alongside other processors: `new NodeSDK({ spanProcessors: [new HeddleSpanProcessor()] })`.
 * Registers nothing globally and never throws.
 */
export class HeddleSpanProcessor extends PipelineProcessor {
  constructor(options: ProcessorOptions = {}) {
    super(options, nodePlatform)
  }
}
