/**
 * Runs `work` on every item, `limit` at a time, begun in their order. Results are handed to `take` in that order too, each as
 * soon as it may be.
 */
export async function inOrder<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
  take: (result: R) => void,
): Promise<void> {
  const done = new Map<number, R>()
  const queue = items.entries()
  let next = 0
  const worker = async () => {
    for (const [index, item] of queue) {
      done.set(index, await work(item))
      for (let result = done.get(next); result !== undefined; result = done.get(next)) {
        done.delete(next++)
        take(result)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
}
