// The binary arithmetic encoder (T.81 annex D.1), bit by bit.

/** Table D.3, a row an estimate: Qe, the next estimate after a less and after a more probable symbol. */
const ROWS = `5a1d 1 1,2586 14 2,1114 16 3,080b 18 4,03d8 20 5,01da 23 6,00e5 25 7,006f 28 8,0036 30 9,001a 33 10,000d 35 11,
0006 9 12,0003 10 13,0001 12 13,5a7f 15 15,3f25 36 16,2cf2 38 17,207c 39 18,17b9 40 19,1182 42 20,0cef 43 21,09a1 45 22,
072f 46 23,055c 48 24,0406 49 25,0303 51 26,0240 52 27,01b1 54 28,0144 56 29,00f5 57 30,00b7 59 31,008a 60 32,0068 62 33,
004e 63 34,003b 32 35,002c 33 9,5ae1 37 37,484c 64 38,3a0d 65 39,2ef1 67 40,261f 68 41,1f33 69 42,19a8 70 43,1518 72 44,
1177 73 45,0e74 74 46,0bfb 75 47,09f8 77 48,0861 78 49,0706 79 50,05cd 48 51,04de 50 52,040f 50 53,0363 51 54,02d4 52 55,
025c 53 56,01f8 54 57,01a4 55 58,0160 56 59,0125 57 60,00f6 58 61,00cb 59 62,00ab 61 63,008f 61 32,5b12 65 65,4d04 80 66,
412c 81 67,37d8 82 68,2fe8 83 69,293c 84 70,2379 86 71,1edf 87 72,1aa9 87 73,174e 72 74,1424 72 75,119c 74 76,0f6b 74 77,
0d51 75 78,0bb6 77 79,0a40 77 48,5832 80 81,4d1c 88 82,438e 89 83,3bdd 90 84,34ee 91 85,2eae 92 86,299a 93 87,2516 86 71,
5570 88 89,4ca9 95 90,44d9 96 91,3e22 97 92,3824 99 93,32b4 99 94,2e17 93 86,56a8 95 96,4f46 101 97,47e5 102 98,
41cf 103 99,3c3d 104 100,375e 99 93,5231 105 102,4c0f 106 103,4639 107 104,415e 103 99,5627 105 106,50e7 108 107,
4b85 109 103,5597 110 109,504f 111 107,5a10 110 111,5522 112 109,59eb 112 111`
const SWITCHES = new Set([0, 14, 36, 64, 80, 88, 95, 105, 110, 112])
const ESTIMATES = ROWS.split(',').map((row, i) => {
  const [qe = '', lps, mps] = row.trim().split(' ')
  return { qe: Number.parseInt(qe, 16), lps: Number(lps), mps: Number(mps), isSwitch: SWITCHES.has(i) }
})

/** The number of estimates that decisions of this process have used. */
export const usedEstimates = new Set<number>()

/** The adaptive probability of a decision. */
interface Context {
  estimate: number
  symbol: number
}

/** Encodes decisions into an entropy-coded segment. */
export class ArithmeticEncoder {
  #low = 0
  #size = 0x10000
  readonly #bits: number[] = []
  #contexts = new Map<number, Context>()

  /** Encodes a decision by the context of this number. */
  decide(number: number, decision: number): void {
    const context = this.#contexts.get(number) ?? { estimate: 0, symbol: 0 }
    this.#contexts.set(number, context)
    const { qe, lps, mps, isSwitch } = estimateOf(context.estimate)
    usedEstimates.add(context.estimate)
    const isMore = decision === context.symbol
    this.#narrow(qe, isMore)
    // Estimates change only where the interval is renormalized.
    if (!this.#renormalize()) return
    if (!isMore && isSwitch) context.symbol ^= 1
    context.estimate = isMore ? mps : lps
  }

  /** Encodes a decision with the fixed probability 0.5. */
  decideEvenly(decision: number): void {
    this.#narrow(estimateOf(0).qe, decision === 0)
    this.#renormalize()
  }

  /** Returns the segment, without zeros at its end (D.1.8). */
  finish(): number[] {
    this.#carry()
    for (let bit = 15; bit >= 0; bit--) this.#bits.push((this.#low >> bit) & 1)
    while (this.#bits.length % 8 !== 0) this.#bits.push(0)
    const bytes: number[] = []
    for (let at = 0; at < this.#bits.length; at += 8) {
      bytes.push(Number.parseInt(this.#bits.slice(at, at + 8).join(''), 2))
    }
    while (bytes.at(-1) === 0) bytes.pop()
    return bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))
  }

  /** Takes the subinterval of the symbol: the more probable one is below, unless it is the smaller one (D.1.2). */
  #narrow(qe: number, isMore: boolean): void {
    const rest = this.#size - qe
    const isBelow = rest < qe && rest < 0x8000 ? !isMore : isMore
    if (isBelow) {
      this.#size = rest
    } else {
      this.#low += rest
      this.#size = qe
    }
  }

  #renormalize(): boolean {
    if (this.#size >= 0x8000) return false
    while (this.#size < 0x8000) {
      this.#carry()
      this.#bits.push(this.#low >> 15)
      this.#low = (this.#low << 1) & 0xffff
      this.#size *= 2
    }
    return true
  }

  #carry(): void {
    if (this.#low < 0x10000) return
    this.#low -= 0x10000
    let at = this.#bits.length - 1
    while (this.#bits[at] === 1) this.#bits[at--] = 0
    this.#bits[at] = 1
  }
}

function estimateOf(number: number) {
  const estimate = ESTIMATES[number]
  if (!estimate) throw new Error(`there is no estimate ${number}`)
  return estimate
}
