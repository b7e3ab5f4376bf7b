// Uses npm `pixhost` as documented: node pixhost.mjs uploadImage '["/tmp/a.jpg", 0, 500]'
// Prints the outcome of the promise as JSON: {"response": ...} or {"refusal": "..."}.
import pixhost from 'pixhost'

const [method, parameters] = process.argv.slice(2)

await pixhost
  .init()
  [method](...JSON.parse(parameters))
  .then(
    (response) => console.log(JSON.stringify({ response })),
    (refusal) => console.log(JSON.stringify({ refusal: String(refusal) })),
  )
