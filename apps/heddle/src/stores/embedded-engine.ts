import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Engine, type EngineOptions, startEngine } from '@heddle/datastore'
import { engineEntry } from '../process/child-entries.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** Installed packages of the embedded engine, whose machine code is a separate package for each platform. */
export interface EngineInstallation {
  /** As `process` names them. */
  platform: string
  arch: string
  /** The engine's packages by name, for all platforms, with their versions. */
  packages: Readonly<Record<string, string>>
  isInstalled(name: string): boolean
}

/**
 * Starts the embedded engine of this machine.
 * @throws UsageError when the machine has none, or it is not installed; StoreError as `startEngine` does
 */
export async function startEmbeddedEngine(options: Omit<EngineOptions, 'entry'>): Promise<Engine> {
  assertEngine(readInstallation())
  return startEngine({ entry: engineEntry, ...options })
}

/** @throws UsageError that names what is missing, and the way without it */
export function assertEngine({ platform, arch, packages, isInstalled }: EngineInstallation): void {
  const machine = `${platform}-${arch}`
  const name = Object.keys(packages).find((candidate) => candidate.replace(/-gnu$/, '').endsWith(`-${machine}`))
  const without = 'set HEDDLE_CLICKHOUSE_URL to use a ClickHouse server instead'
  if (name === undefined) throw new UsageError(`the embedded engine does not support ${machine}; ${without}`)
  if (isInstalled(name)) return
  throw new UsageError(
    `the embedded engine for ${machine} is not installed: package ${name} ${packages[name]} is missing (it needs glibc on Linux); reinstall, or ${without}`,
  )
}

function readInstallation(): EngineInstallation {
  // The machine code is a dependency of the engine's package, which alone can resolve it under a strict layout of packages.
  const ofEngine = createRequire(createRequire(import.meta.url).resolve('chdb'))
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(dirname(ofEngine.resolve('./index.js')), 'package.json'), 'utf8'))
  const isInstalled = (name: string) => {
    try {
      return ofEngine.resolve(name) !== ''
    } catch {
      return false
    }
  }
  return { platform: process.platform, arch: process.arch, packages: optionalDependencies, isInstalled }
}
