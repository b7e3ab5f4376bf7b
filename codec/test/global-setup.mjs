import { ensureTestModules } from './modules.mjs'

export default async function setup() {
  await ensureTestModules()
}
