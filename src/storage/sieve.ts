/** An entry, between the next older and the next newer one. */
interface Node<Value> {
  key: string
  value: Value
  bytes: number
  /** Whether it was read since the hand last passed. */
  visited: boolean
  older: Node<Value> | undefined
  newer: Node<Value> | undefined
}

/**
 * A map whose entries take at most `maxBytes` together. It evicts by SIEVE (Zhang et al., NSDI 2024): entries stay in the order of
 * their arrival, and a read marks its entry. A hand goes from the oldest to the newest, removes marks, and evicts the first entry
 * that has none. So entries that nobody reads again go first, and a hit moves nothing.
 */
export class Sieve<Value> {
  readonly #maxBytes: number
  readonly #evicted: (value: Value, key: string) => void
  readonly #nodes = new Map<string, Node<Value>>()
  #oldest: Node<Value> | undefined
  #newest: Node<Value> | undefined
  #hand: Node<Value> | undefined
  #bytes = 0

  /** `evicted` is called for each entry that goes, for whatever reason. */
  constructor(maxBytes: number, evicted: (value: Value, key: string) => void = () => {}) {
    this.#maxBytes = maxBytes
    this.#evicted = evicted
  }

  get size(): number {
    return this.#nodes.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Value | undefined {
    const node = this.#nodes.get(key)
    if (!node) return undefined
    node.visited = true
    return node.value
  }

  /** Stores an entry instead of what the key had. One that is larger than the whole map is not stored. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    if (bytes > this.#maxBytes) return
    while (this.#bytes + bytes > this.#maxBytes) this.#evict()
    const node: Node<Value> = { key, value, bytes, visited: false, older: this.#newest, newer: undefined }
    if (this.#newest) this.#newest.newer = node
    this.#newest = node
    this.#oldest ??= node
    this.#nodes.set(key, node)
    this.#bytes += bytes
  }

  delete(key: string): void {
    const node = this.#nodes.get(key)
    if (node) this.#remove(node)
  }

  clear(): void {
    while (this.#oldest) this.#remove(this.#oldest)
  }

  #evict(): void {
    let node = this.#hand ?? this.#oldest
    while (node?.visited) {
      node.visited = false
      node = node.newer ?? this.#oldest
    }
    if (!node) return
    this.#hand = node
    this.#remove(node)
  }

  #remove(node: Node<Value>): void {
    if (this.#hand === node) this.#hand = node.newer
    if (node.older) node.older.newer = node.newer
    else this.#oldest = node.newer
    if (node.newer) node.newer.older = node.older
    else this.#newest = node.older
    this.#nodes.delete(node.key)
    this.#bytes -= node.bytes
    this.#evicted(node.value, node.key)
  }
}
