import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Preset } from '../presets.ts'
import type { PeerSpeeds } from './peer-speeds.ts'

const version = '3.22.1'
const stepMs = 30 * 60_000
/** With all cores taken by others, threads that wait for each other take many times as long. */
const measureMs = 10 * 60_000

export interface LlamaWork {
  models: readonly ({ name: string; path: string } & Pick<Preset, 'prompt' | 'together' | 'sampled'>)[]
  threads: readonly number[]
  rounds: number
  clock: string
}

/** Speeds of llama.cpp on this CPU, from its package in a folder of its own that is filled on first use. @throws Error when it cannot be installed */
export function runLlama(folder: string, work: LlamaWork): PeerSpeeds[] {
  const entry = ensurePackage(folder)
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'llama-speeds.mjs'), entry, JSON.stringify(work)], {
    encoding: 'utf8',
    timeout: measureMs,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '[]') as PeerSpeeds[]
}

function ensurePackage(folder: string): string {
  const entry = join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
  if (existsSync(entry)) return entry
  console.log('Installing llama.cpp for the comparison (85 MB, once)')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  // The library of this platform alone; nothing is compiled or downloaded beside it.
  const platform = `@node-llama-cpp/${process.platform === 'darwin' ? 'mac' : process.platform}-${process.arch}`
  const packages = [`node-llama-cpp@${version}`, `${platform}@${version}`]
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: stepMs })
  return entry
}
