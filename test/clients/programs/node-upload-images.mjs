// Uses npm `node-upload-images` as documented: node node-upload-images.mjs uploadFromFile /tmp/a.jpg
// Prints the outcome of the promise as JSON: {"response": ...} or {"refusal": "..."}.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { ImageUploadService } from 'node-upload-images'

const [method, source] = process.argv.slice(2)
const service = new ImageUploadService('pixhost.to')
const uploads = {
  uploadFromBinary: () => service.uploadFromBinary(readFileSync(source), basename(source)),
  uploadFromFile: () => service.uploadFromFile(source),
  uploadFromUrl: () => service.uploadFromUrl(source),
}

await uploads[method]().then(
  (response) => console.log(JSON.stringify({ response })),
  (refusal) => console.log(JSON.stringify({ refusal: String(refusal) })),
)
