import type { Upload } from './requests/responses.ts'

/**
 * Returns the savings of `--optimize`, such as "62 % smaller, 3.1 instead of 8.2 MB"; undefined without that option.
 */
export function describeSavings(uploads: readonly Upload[]): string | undefined {
  const sizes = uploads.flatMap(({ fields }) => sizesOf(fields.optimization))
  if (sizes.length === 0) return undefined
  const source = sizes.reduce((sum, size) => sum + size.source, 0)
  const stored = sizes.reduce((sum, size) => sum + size.stored, 0)
  if (stored >= source) return 'kept as it is, nothing would be smaller'
  const unit = source >= 1e6 ? { name: 'MB', bytes: 1e6 } : { name: 'kB', bytes: 1e3 }
  const show = (bytes: number) => (bytes / unit.bytes).toFixed(1)
  return `${Math.floor((1 - stored / source) * 100)} % smaller, ${show(stored)} instead of ${show(source)} ${unit.name}`
}

function sizesOf(report: unknown): { source: number; stored: number }[] {
  if (typeof report !== 'object' || report === null) return []
  if (!('source_bytes' in report && 'stored_bytes' in report)) return []
  const { source_bytes: source, stored_bytes: stored } = report
  return typeof source === 'number' && typeof stored === 'number' ? [{ source, stored }] : []
}
