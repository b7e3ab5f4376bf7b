import assert from 'node:assert/strict'
import { describe, expect, test, vi } from 'vitest'
import type { Panel } from '../../src/image/codecs.ts'
import { large, made } from './join/made.ts'
import { panel } from './join/side-by-side.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Joins two pictures on new cores; gives the megabytes that these have grown to, beyond `files`. */
async function megabytesOf(left: Panel, right: Panel, format: 'jpeg' | 'png', files = 0): Promise<number> {
  const memories: WebAssembly.Memory[] = []
  const { Instance } = WebAssembly
  class WatchedInstance extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      const { memory } = this.exports
      if (memory instanceof WebAssembly.Memory) memories.push(memory)
    }
  }
  vi.resetModules()
  WebAssembly.Instance = WatchedInstance
  try {
    const { joinSideBySide } = await import('../../src/image/codecs.ts')
    await joinSideBySide(left, right, format)
  } finally {
    WebAssembly.Instance = Instance
  }
  assert.equal(memories.length, 2, 'two cores')
  return (memories.reduce((total, memory) => total + memory.buffer.byteLength, 0) - files) / 1e6
}

describe('a JPEG of 24 MP is joined within so much more than the files', async () => {
  const [width, height] = [6000, 4000]
  const landscape = await large(width, height)
  const rows: [string, Uint8Array, number][] = [
    ['10 MB with another', landscape, 10],
    ['26 MB with one turned by 90 degrees', await large(width, height, {}, 6), 26],
    ['66 MB with a progressive one', await large(width, height, { progressive: true }), 66],
  ]
  for (const [name, other, limit] of rows) {
    test(name, async () => {
      const files = landscape.length + other.length
      const megabytes = await megabytesOf(panel(landscape, height), panel(other, height), 'jpeg', files)
      assert.ok(megabytes <= limit, `${megabytes.toFixed(1)} MB`)
    })
  }
})

test('two progressive JPEGs share 72 MB, at the cost of sharpness', async () => {
  const progressive = panel(await large(4000, 3000, { progressive: true }), 3000)
  const megabytes = await megabytesOf(progressive, progressive, 'jpeg')
  assert.ok(megabytes <= 72, `${megabytes.toFixed(1)} MB`)
})

test('turned pictures are held within 48 MB, those of more pixels are refused', async () => {
  const { picture } = panel(await made({ width: 64, height: 64, orientation: 6 }), 64)
  const half = { picture, size: { width: 4000, height: 4000 } }
  const over = { picture, size: { width: 4001, height: 4000 } }
  await megabytesOf(half, half, 'jpeg')
  await expect(megabytesOf(half, over, 'jpeg')).rejects.toMatchObject({ reason: 'over_budget' })
  await expect(megabytesOf(half, half, 'png')).rejects.toMatchObject({ reason: 'over_budget' })
})

describe('a cover is at most 65,535 pixels wide', async () => {
  const { picture } = panel(await made({ width: 64, height: 1 }), 1)
  const sized = (pixels: number) => ({ picture, size: { width: pixels, height: 1 } })
  test.each(['jpeg', 'png'] as const)('as %s', async (format) => {
    await megabytesOf(sized(32_768), sized(32_767), format)
    await expect(megabytesOf(sized(32_768), sized(32_768), format)).rejects.toMatchObject({ reason: 'over_budget' })
  })
})
