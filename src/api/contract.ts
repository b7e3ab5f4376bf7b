import { PACKED_CONTRACT } from '#generated/contract.ts'
import { once, unpack } from '../packed.ts'
import { yamlOf } from './yaml.ts'

const texts = once(() => {
  const text = unpack(PACKED_CONTRACT)
  const end = text.indexOf('\n')
  return { document: text.slice(0, end), reference: text.slice(end + 1) }
})

/** The OpenAPI document in JSON, its links on the placeholder's domain. */
export function openApiJson(): string {
  return texts().document
}

/** The same in YAML. */
export const openApiYaml = once(() => yamlOf(JSON.parse(openApiJson())))

/** The markup of the reference of all operations, its links on the placeholder's domain. */
export function operationsMarkup(): string {
  return texts().reference
}
