/** Returns a time as clocks on the wall show it, to the minute. */
export function localTime(at: string): string {
  const time = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join('-')
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`
}
