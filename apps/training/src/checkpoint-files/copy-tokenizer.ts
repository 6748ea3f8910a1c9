import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { syncPath } from './sync-path.ts'

/** Other tools need the tokenizer next to a checkpoint. */
export function copyTokenizer(from: string, to: string): void {
  for (const name of ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja', 'generation_config.json']) {
    if (!existsSync(join(from, name))) continue
    copyFileSync(join(from, name), join(to, name))
    syncPath(join(to, name))
  }
  syncPath(to)
}
