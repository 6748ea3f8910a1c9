import { execFile, type ExecFileException } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A project of a user, outside the workspace, with the packages installed as they would be published. */
export interface PackedProject {
  folder: string
  write(name: string, content: string): string
  /** Runs a command in the project, with nothing of this process's environment but where npm keeps what it has loaded. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  remove(): void
}

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** The packages as they would be published. */
export interface PackedArchives {
  paths: readonly string[]
  remove(): void
}

/** Installs the archives and `dependencies`, given as `name@version`. @throws Error with what was printed, when that fails. */
export async function createPackedProject(archives: PackedArchives, dependencies: readonly string[]): Promise<PackedProject> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-packed-'))
  const project: PackedProject = {
    folder,
    write(name, content) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    run: (command, args, env = {}) => execute(command, args, { cwd: folder, env: { ...bareEnvironment(), ...env } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  project.write('package.json', '{ "name": "program", "private": true, "version": "1.0.0" }')
  await must('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...archives.paths, ...dependencies], {
    cwd: folder,
    env: process.env,
  })
  return project
}

/**
 * Packs the packages, built again if they have changed. Their script before packing would build them again; `.scripts/packing.test.ts` covers it.
 * @throws Error with what was printed, when that fails.
 */
export async function packPackages(): Promise<PackedArchives> {
  const destination = mkdtempSync(join(tmpdir(), 'heddle-archives-'))
  const names = ['core-api', 'otel-exporter']
  const filters = names.map((name) => `--filter=@heddle/${name}`)
  const options = { cwd: root, env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}` } }
  await must('turbo', ['run', 'build', ...filters, '--output-logs=errors-only'], options)
  for (const name of names) {
    const cwd = join(root, 'packages', name)
    await must('pnpm', ['pack', '--config.ignore-scripts=true', '--pack-destination', destination], { ...options, cwd })
  }
  return {
    paths: readdirSync(destination).map((name) => join(destination, name)),
    remove: () => rmSync(destination, { recursive: true, force: true }),
  }
}

function bareEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TMPDIR: tmpdir() }
}

interface ExecuteOptions {
  cwd: string
  env: NodeJS.ProcessEnv
}

async function must(command: string, args: readonly string[], options: ExecuteOptions): Promise<void> {
  const { code, stdout, stderr } = await execute(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`)
}

const timeLimitMs = 300_000

function execute(command: string, args: readonly string[], options: ExecuteOptions): Promise<Ended> {
  return new Promise((resolve) => {
    const onEnd = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') })
    }
    execFile(command, [...args], { ...options, timeout: timeLimitMs, maxBuffer: 16 * 1024 * 1024 }, onEnd)
  })
}
