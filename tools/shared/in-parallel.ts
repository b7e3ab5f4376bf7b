/** Calls `work` for each item, `limit` at a time. After a failure no further item is begun; throws it when all calls have ended. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  let hasFailed = false
  const workOn = async () => {
    try {
      for (let next = iterator.next(); !next.done && !hasFailed; next = iterator.next()) await work(next.value)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: limit }, workOn))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}
