// What a user of npm `pixhost` writes: node pixhost.mjs uploadImage '["/tmp/a.jpg", 0, 500]'
// Prints what the promise came to, as JSON: {"answer": ...} or {"refusal": "..."}.
import pixhost from 'pixhost'

const [method, parameters] = process.argv.slice(2)

await pixhost
  .init()
  [method](...JSON.parse(parameters))
  .then(
    (response) => console.log(JSON.stringify({ response })),
    (refusal) => console.log(JSON.stringify({ refusal: String(refusal) })),
  )
