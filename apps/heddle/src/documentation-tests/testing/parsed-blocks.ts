import { readPriceList } from '@heddle/tracing'
import { parseLauncherFile } from '@heddle/training'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseProviders } from '../../settings/providers-file.ts'
import type { BlockSelector } from './block-coverage.ts'
import { checkCollectorConfiguration } from './collector-configuration.ts'
import { checkNginxConfiguration } from './nginx-configuration.ts'

/** The part of Prometheus's configuration that the pages use; it refuses keys that it does not know, as this does. */
const Prometheus = z.strictObject({
  scrape_configs: z.array(
    z.strictObject({
      job_name: z.string(),
      scheme: z.enum(['http', 'https']).optional(),
      authorization: z.strictObject({ credentials_file: z.string() }).optional(),
      // The default of metrics_path is /metrics.
      static_configs: z.array(z.strictObject({ targets: z.array(z.string().regex(/^[a-z.]+(:\d+)?$/)).min(1) })).min(1),
    }),
  ),
})

/** Blocks that are read here as the program that they are for would read them. `read` throws for what it would refuse. */
export const parsedBlocks: readonly (BlockSelector & { what: string; read: (code: string) => unknown })[] = [
  { document: 'apps/heddle/README.md', language: 'json', positions: [1], what: 'a file of providers', read: parseProviders },
  { document: 'apps/heddle/README.md', language: 'json', positions: [3], what: 'a launcher file', read: parseLauncherFile },
  {
    document: 'apps/heddle/README.md',
    language: 'json',
    positions: [4],
    what: 'a file of prices',
    read: (code) => readPriceList(JSON.parse(code)),
  },
  { document: 'docs/launchers.md', language: 'json', what: 'a launcher file', read: parseLauncherFile },
  { document: 'docs/metrics.md', language: 'yaml', what: 'a configuration of Prometheus', read: (code) => Prometheus.parse(parse(code)) },
  { document: 'docs/operations.md', language: 'nginx', what: 'a server of nginx', read: checkNginxConfiguration },
  { document: 'docs/clients/collector.md', language: 'yaml', what: 'a configuration of the Collector', read: checkCollectorConfiguration },
]
