/** What the call gives, if it does within so many milliseconds; otherwise throws an Error that says that `what` did not answer. */
export async function inTime<Result>(maxMs: number, what: string, call: () => Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not answer in time`)), maxMs)
  })
  try {
    return await Promise.race([call(), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
