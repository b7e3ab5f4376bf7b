/** The boolean encoder as RFC 6386, 7.3 words it. */
export class BoolWriter {
  readonly #bytes: number[] = []
  #range = 255
  #bottom = 0
  #bitsToByte = 24

  /** Writes a decision that is 0 in `probability` of 256 cases. */
  bool(bit: number, probability = 128): void {
    const split = 1 + (((this.#range - 1) * probability) >> 8)
    if (bit > 0) {
      this.#bottom += split
      this.#range -= split
    } else this.#range = split
    for (; this.#range < 128; this.#range *= 2) this.#shift()
  }

  /** A number of so many bits, the highest first. */
  literal(value: number, bits: number): void {
    for (let i = bits - 1; i >= 0; i--) this.bool((value >> i) & 1)
  }

  /** A number and its sign behind a flag that tells whether it is there: 0 is left out. */
  optionalSigned(value: number, bits: number): void {
    this.bool(value === 0 ? 0 : 1)
    if (value === 0) return
    this.literal(Math.abs(value), bits)
    this.bool(value < 0 ? 1 : 0)
  }

  /** All that was written, ended by 32 bits of no meaning. */
  finished(): Uint8Array {
    this.literal(0, 32)
    return Uint8Array.from(this.#bytes)
  }

  #shift(): void {
    if (this.#bottom >= 2 ** 31) this.#carry()
    this.#bottom = (this.#bottom << 1) >>> 0
    if (--this.#bitsToByte > 0) return
    this.#bytes.push(this.#bottom >>> 24)
    this.#bottom &= 0xffffff
    this.#bitsToByte = 8
  }

  #carry(): void {
    let at = this.#bytes.length - 1
    for (; this.#bytes[at] === 255; at--) this.#bytes[at] = 0
    this.#bytes[at] = (this.#bytes[at] ?? 0) + 1
  }
}
