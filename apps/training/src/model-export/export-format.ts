export type ExportFormat = 'safetensors' | 'peft' | 'gguf'

/** Formats of numbers that files of a format may have; the first is the default. */
export const exportNumbers = {
  safetensors: ['bf16', 'f16', 'f32'],
  gguf: ['f16', 'q8_0', 'bf16', 'f32'],
  peft: ['f32'],
} as const satisfies Record<ExportFormat, readonly string[]>
export type ExportNumbers = (typeof exportNumbers)[ExportFormat][number]
