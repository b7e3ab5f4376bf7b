import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { SMALL_PNG } from '../../contract/support/steps.ts'
import { folderWith } from '../support/folder.ts'
import { BUNDLE, cliEnvironment } from '../support/run-cli.ts'

const PACKAGES = join(import.meta.dirname, 'node_modules/@modelcontextprotocol')

test.for([
  ['sdk', 'sdk/dist/esm/client/index.js', 'sdk/dist/esm/client/stdio.js', {}, undefined],
  ['client', 'client/dist/index.mjs', 'client/dist/stdio.mjs', { mode: 'legacy' }, '2025-11-25'],
  ['client', 'client/dist/index.mjs', 'client/dist/stdio.mjs', { mode: 'auto' }, '2026-07-28'],
] as const)('%s of @modelcontextprotocol, %j', async ([, clientFile, stdioFile, versionNegotiation, version]) => {
  const script = `
    import { Client } from ${JSON.stringify(join(PACKAGES, clientFile))}
    import { StdioClientTransport } from ${JSON.stringify(join(PACKAGES, stdioFile))}
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: ${JSON.stringify(versionNegotiation)} })
    const args = [${JSON.stringify(BUNDLE)}, 'mcp']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env }))
    const { tools } = await client.listTools()
    const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent
    const gallery = await call('upload_gallery', { images: [{ path: 'a.png' }, { path: 'a.png' }], private_link: true })
    const read = await call('read_gallery', { url: gallery.gallery_url })
    const removed = await call('delete', { manage_url: gallery.manage_url })
    const refused = await client.callTool({ name: 'upload_image', arguments: { path: 'none.png' } })
    console.log(JSON.stringify({
      version: client.getNegotiatedProtocolVersion?.(), server: client.getServerVersion().name,
      tools: tools.length, images: read.images.length, removed, isError: refused.isError,
    }))
    await client.close()`
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'client.mjs': script })
  const child = spawn(process.execPath, ['client.mjs'], { cwd, env: cliEnvironment() })
  const [printed, errors] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')])
  expect(JSON.parse(printed.toString() || `"${errors}"`)).toEqual({
    ...(version !== undefined && { version }),
    server: 'tintype-cli',
    tools: 6,
    images: 2,
    removed: { deleted: true, resource_type: 'gallery' },
    isError: true,
  })
})
